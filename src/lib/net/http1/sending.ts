import type { Socket } from 'node:net';
import { cutOff, lineFault } from './faults.ts';

/** Memory that is used over and over: while the system takes one piece, the next is filled. */
const PIECE_BYTES = 256 * 1024;
const PIECES = 4;

export interface Sending {
  /** Undefined where nobody knows: then it is sent in chunks of HTTP's own. */
  readonly bytes: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Told once all of it was handed to the connection. */
  onSent(): void;
  /** Asked before each piece: an answer has come already, so that nobody wants the rest. */
  isOver(): boolean;
  /** Given what is to be called when the answer to `isOver` has changed. */
  setWake(wake: () => void): void;
  /** Told whenever the connection has taken something, or is waited for. */
  onActivity(isWaiting: boolean): void;
}

/** Sends a body, as far as somebody wants it. What the source throws comes out as it is. */
export const sendBody = async (socket: Socket, { bytes, chunks, onSent, isOver, setWake, onActivity }: Sending): Promise<void> => {
  const free: Buffer[] = [Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, bytes ?? PIECE_BYTES) + FRAME_BYTES)];
  let made = 1;
  let wakeUp: (() => void) | undefined;
  const wake = () => wakeUp?.();
  setWake(wake);
  socket.on('close', wake);
  let piece: Buffer | undefined;
  let filled = 0;
  let sent = 0;
  const isChunked = bytes === undefined;

  const nextPiece = async (): Promise<Buffer> => {
    while (free.length === 0 && made >= PIECES && !socket.destroyed && !isOver()) {
      onActivity(true);
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      onActivity(false);
    }
    if (socket.destroyed) throw cutOff();
    if (isOver()) return NOTHING;
    const found = free.pop();
    if (found !== undefined) return found;
    made += 1;
    return Buffer.allocUnsafeSlow(PIECE_BYTES + FRAME_BYTES);
  };

  const flush = (): void => {
    const full = piece;
    if (full === undefined || filled === 0) return;
    const start = isChunked ? frame(full, filled) : HEAD_BYTES;
    const end = HEAD_BYTES + filled + (isChunked ? 2 : 0);
    piece = undefined;
    filled = 0;
    socket.write(full.subarray(start, end), () => {
      free.push(full);
      onActivity(false);
      wake();
    });
  };

  const iterator = chunks[Symbol.asyncIterator]();
  let isEnded = false;
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      sent += value.byteLength;
      if (bytes !== undefined && sent > bytes) throw lineFault('ERR_BODY_LENGTH', `the body is longer than its ${bytes} bytes`);
      for (let at = 0; at < value.byteLength; ) {
        piece ??= await nextPiece();
        if (isOver()) return;
        const room = piece.byteLength - FRAME_BYTES - filled;
        const taken = Math.min(room, value.byteLength - at);
        piece.set(value.subarray(at, at + taken), HEAD_BYTES + filled);
        filled += taken;
        at += taken;
        if (taken === room) flush();
      }
      // The server answers as soon as it has all, which may be before the source has ended.
      if (sent === bytes) {
        flush();
        onSent();
      }
    }
    isEnded = true;
    if (sent === bytes && sent > 0) return;
    if (isOver()) return;
    if (bytes !== undefined && sent !== bytes) throw lineFault('ERR_BODY_LENGTH', `the body has ${sent} bytes instead of ${bytes}`);
    flush();
    if (isChunked) socket.write('0\r\n\r\n');
    onSent();
  } finally {
    socket.off('close', wake);
    if (!isEnded) await iterator.return?.();
  }
};

const NOTHING: Buffer = Buffer.alloc(0);

/** Before and behind the content of a chunk: its size, and the ends of two lines. */
const HEAD_BYTES = 8;
const FRAME_BYTES = HEAD_BYTES + 2;

/** Writes the size before the content, and the end of its line behind it; tells where the chunk begins. */
const frame = (piece: Buffer, filled: number): number => {
  const size = `${filled.toString(16)}\r\n`;
  piece.write(size, HEAD_BYTES - size.length, 'latin1');
  piece.write('\r\n', HEAD_BYTES + filled, 'latin1');
  return HEAD_BYTES - size.length;
};
