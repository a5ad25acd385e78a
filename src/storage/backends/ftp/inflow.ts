import type { OnReadOpts, Socket } from 'node:net';

/** What comes in by a connection for data, piece by piece. A piece is good until the next one is asked for. */
export interface Inflow {
  /** The next bytes; undefined at the end, however it came. */
  next(): Promise<Buffer | undefined>;
}

const BUFFER_BYTES = 256 * 1024;
/** Pieces that may lie ready; with that in the reader's hands and that being filled they are all that there are. */
const AHEAD = 2;

/** Buffers for what comes in by one connection after the other; used again and again. */
export const createInflowBuffers = (): readonly Buffer[] => Array.from({ length: AHEAD + 2 }, () => Buffer.allocUnsafe(BUFFER_BYTES));

/** Bytes are put straight into a ring of buffers, which costs a third of what a stream does. Not under TLS. */
export const createDirectInflow = (ring: readonly Buffer[]): { readonly onread: OnReadOpts; readonly from: (socket: Socket) => Inflow } => {
  const ready: Buffer[] = [];
  let filled = -1;
  let isHalted = false;
  let wake = (): void => {};
  return {
    onread: {
      buffer: () => {
        filled = (filled + 1) % ring.length;
        return ring[filled] ?? Buffer.allocUnsafe(BUFFER_BYTES);
      },
      callback(count, bytes) {
        ready.push(Buffer.from(bytes.buffer, bytes.byteOffset, count));
        isHalted = ready.length >= AHEAD;
        wake();
        return !isHalted; // nothing more before a piece is taken
      },
    },
    from(socket) {
      let isOver = false;
      const end = (): void => {
        isOver = true;
        wake();
      };
      socket.once('end', end).once('close', end);
      if (!isHalted) socket.resume();
      return {
        next: () =>
          new Promise((resolve) => {
            const look = (): void => {
              const piece = ready.shift();
              if (piece === undefined && !isOver && !socket.destroyed) return;
              wake = () => {};
              if (isHalted && ready.length < AHEAD) {
                isHalted = false;
                socket.resume();
              }
              resolve(piece);
            };
            wake = look;
            look();
          }),
      };
    },
  };
};

/** The same from a socket that is a stream. */
export const streamInflow = (socket: Socket): Inflow => ({
  next: () =>
    new Promise((resolve) => {
      const look = (): void => {
        const chunk: Buffer | null = socket.read();
        if (chunk !== null) settle(chunk);
        else if (socket.readableEnded || socket.destroyed) settle(undefined);
      };
      const over = (): void => settle(socket.read() ?? undefined);
      const settle = (chunk: Buffer | undefined): void => {
        socket.off('readable', look).off('end', over).off('close', over);
        resolve(chunk);
      };
      socket.on('readable', look).on('end', over).on('close', over);
      look();
    }),
});
