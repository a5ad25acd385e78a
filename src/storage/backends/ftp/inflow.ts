import type { OnReadOpts, Socket } from 'node:net';

/** What comes in by a connection for data, piece by piece. A piece is good until the next one is asked for. */
export interface Inflow {
  /** The next bytes; undefined at the end, however it came. */
  next(): Promise<Buffer | undefined>;
}

/** Bytes are put straight into one buffer that is used again and again, which costs a third of what a stream does. Not under TLS. */
export const createDirectInflow = (buffer: Buffer): { readonly onread: OnReadOpts; readonly from: (socket: Socket) => Inflow } => {
  let arrived = 0;
  let wake = (): void => {};
  return {
    onread: {
      buffer,
      callback(count) {
        arrived = count;
        wake();
        return false; // nothing more before these are taken
      },
    },
    from(socket) {
      let isOver = false;
      const end = (): void => {
        isOver = true;
        wake();
      };
      socket.once('end', end).once('close', end);
      return {
        next: () =>
          new Promise((resolve) => {
            const look = (): void => {
              if (arrived === 0 && !isOver && !socket.destroyed) return;
              wake = () => {};
              const count = arrived;
              arrived = 0;
              resolve(count === 0 ? undefined : buffer.subarray(0, count));
            };
            wake = look;
            if (arrived === 0) socket.resume();
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
