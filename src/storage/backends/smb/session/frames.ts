import { malformed } from '../wire/bytes.ts';

/** Where frames of a connection are put together. */
export interface FrameReader {
  /** Takes bytes as they come. The chunk may be kept. */
  push(chunk: Buffer): void;
}

/** Told of each whole frame; `release` gives a large buffer back when nobody looks at the frame any more. */
export type OnFrame = (frame: Buffer, release: () => void) => void;

/** Small frames are looked at where they arrived; larger ones get a buffer that is used again and again. */
const SMALL_BYTES = 64 * 1024;
const KEPT_BUFFERS = 16;
const nothing = (): void => {};

/** Each frame begins with a zero byte and its length in three. */
export const createFrameReader = (maxBytes: number, onFrame: OnFrame): FrameReader => {
  const buffers: Buffer[] = [];
  const head = Buffer.alloc(4);
  let headBytes = 0;
  let frame: Buffer | undefined;
  let filled = 0;
  let large: Buffer | undefined;

  const start = (length: number): void => {
    large = length > SMALL_BYTES ? (buffers.pop() ?? Buffer.allocUnsafeSlow(maxBytes)) : undefined;
    frame = large?.subarray(0, length) ?? Buffer.allocUnsafe(length);
    filled = 0;
  };

  const finish = () => {
    const [whole, buffer] = [frame, large];
    frame = undefined;
    headBytes = 0;
    if (whole === undefined) return;
    if (buffer === undefined) return onFrame(whole, nothing);
    let isReleased = false;
    onFrame(whole, () => {
      if (!isReleased && buffers.length < KEPT_BUFFERS) buffers.push(buffer);
      isReleased = true;
    });
  };

  return {
    push(chunk) {
      for (let at = 0; at < chunk.byteLength; ) {
        if (frame === undefined) {
          const taken = chunk.copy(head, headBytes, at, at + 4 - headBytes);
          headBytes += taken;
          at += taken;
          if (headBytes < 4) return;
          const length = head.readUInt32BE(0);
          if (length > maxBytes) throw malformed('a message that is larger than anything it was asked for');
          if (length <= SMALL_BYTES && at + length <= chunk.byteLength) {
            headBytes = 0;
            onFrame(chunk.subarray(at, at + length), nothing);
            at += length;
          } else start(length);
        } else {
          const taken = chunk.copy(frame, filled, at);
          filled += taken;
          at += taken;
          if (filled === frame.byteLength) finish();
        }
      }
    },
  };
};
