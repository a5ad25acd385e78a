import { malformed } from '../wire/bytes.ts';

/** Where a socket puts what comes in, and frames are made of it. */
export interface FrameReader {
  /** Where the next bytes go. */
  buffer(): Buffer;
  /** So many have come there. */
  callback(bytes: number): true;
}

/** Told of each whole frame; `release` gives a large buffer back when nobody looks at the frame any more. */
export interface FrameListener {
  onFrame(frame: Buffer, release: () => void): void;
  /** Told instead where a frame, or whoever was told of it, is at fault. */
  onFault(fault: unknown): void;
}

/** Small frames come by many and are copied out; larger ones are read straight into a buffer that is used again and again. */
const SMALL_BYTES = 64 * 1024;
const KEPT_BUFFERS = 16;
const nothing = (): void => {};

/** Each frame begins with a zero byte and its length in three. */
export const createFrameReader = (maxBytes: number, { onFrame, onFault }: FrameListener): FrameReader => {
  const scratch = Buffer.allocUnsafeSlow(SMALL_BYTES);
  const buffers: Buffer[] = [];
  const head = Buffer.alloc(4);
  let headBytes = 0;
  let frame: Buffer | undefined;
  let filled = 0;
  let large: Buffer | undefined;

  const start = (length: number): void => {
    if (length > maxBytes) throw malformed('a message that is larger than anything it was asked for');
    large = length > SMALL_BYTES ? (buffers.pop() ?? Buffer.allocUnsafeSlow(maxBytes)) : undefined;
    frame = large?.subarray(0, length) ?? Buffer.allocUnsafe(length);
    filled = 0;
  };

  const finishWhole = (): void => {
    if (frame === undefined || filled < frame.byteLength) return;
    const [whole, buffer] = [frame, large];
    frame = undefined;
    headBytes = 0;
    let isHeld = buffer !== undefined;
    onFrame(
      whole,
      buffer === undefined
        ? nothing
        : () => {
            if (isHeld && buffers.length < KEPT_BUFFERS) buffers.push(buffer);
            isHeld = false;
          },
    );
  };

  const take = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.byteLength; ) {
      if (frame === undefined) {
        const taken = chunk.copy(head, headBytes, at, at + 4 - headBytes);
        headBytes += taken;
        at += taken;
        if (headBytes < 4) return;
        start(head.readUInt32BE(0));
      }
      const taken = frame === undefined ? 0 : chunk.copy(frame, filled, at);
      filled += taken;
      at += taken;
      finishWhole();
    }
  };

  return {
    buffer: () => frame?.subarray(filled) ?? scratch,
    callback(bytes) {
      try {
        if (frame === undefined) take(scratch.subarray(0, bytes));
        else {
          filled += bytes;
          finishWhole();
        }
      } catch (fault) {
        onFault(fault);
      }
      return true;
    },
  };
};
