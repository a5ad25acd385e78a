import type { OnReadOpts, Socket } from 'node:net';

/**
 * What a connection brings, in memory that is used over and over: while somebody reads one piece, the next is filled. When all are full the
 * connection waits.
 */
export interface Receiving {
  /** For the options of the socket. */
  readonly onread: OnReadOpts;
  attach(socket: Socket): void;
  /** A piece whose content was handed on, and is done with. */
  release(piece: Buffer): void;
}

const PIECE_BYTES = 256 * 1024;
const PIECES = 4;

/** `take` gets each piece with how much of it was filled; it is released by whoever has done with it. */
export const createReceiving = (take: (piece: Buffer, bytes: number) => void): Receiving => {
  const free: Buffer[] = [];
  let made = 0;
  let socket: Socket | undefined;
  let isPaused = false;
  const next = (): Buffer => {
    const found = free.pop();
    if (found !== undefined) return found;
    made += 1;
    return Buffer.allocUnsafeSlow(PIECE_BYTES);
  };
  return {
    onread: {
      buffer: next,
      callback(bytes, memory) {
        take(memory as Buffer, bytes); // `next` makes nothing else
        // One more is asked for right after this, whatever is answered here; the one after that must be there too.
        isPaused = free.length + PIECES - made <= 1;
        return !isPaused;
      },
    },
    attach(opened) {
      socket = opened;
    },
    release(piece) {
      free.push(piece);
      if (!isPaused || socket === undefined) return;
      isPaused = false;
      socket.resume();
    },
  };
};
