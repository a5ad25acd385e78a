import type { SftpSession } from './session.ts';

/** An open file on a connection. */
export interface Lane {
  readonly session: SftpSession;
  readonly handle: Buffer;
}

export interface SendOptions {
  /** Where the first byte goes. */
  readonly start: number;
  readonly signal: AbortSignal;
  /** Asked for once, when much has been sent: another way to the same file. */
  readonly another?: () => Promise<Lane | undefined>;
}

/** From here on a second connection is worth its opening. */
const MUCH = 16 * 1024 * 1024;
/** Requests under way on one connection when sending. */
const SENDING_DEPTH = 16;

/**
 * Sends chunks as positional writes, many under way at once; returns how many bytes went when all of them are acknowledged. Small chunks are
 * gathered in one buffer, which is free again at once because the library copies what it sends.
 */
export const sendChunks = async (
  chunks: AsyncIterable<Uint8Array>,
  lane: Lane,
  { start, signal, another }: SendOptions,
): Promise<number> => {
  const lanes = [{ ...lane, busy: 0 }];
  const { requestBytes } = lane.session;
  const depth = Math.max(SENDING_DEPTH, lane.session.depth);
  let at = start;
  let fault: unknown;
  let hasFailed = false;
  let wake = (): void => {};
  let stage: Buffer | undefined;
  let staged = 0;

  const settled = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const underWay = (): number => lanes.reduce((sum, { busy }) => sum + busy, 0);
  const send = (bytes: Buffer): void => {
    const least = lanes.reduce((best, each) => (each.busy < best.busy ? each : best));
    least.busy += 1;
    const done = (): void => {
      least.busy -= 1;
      wake();
    };
    least.session.write(least.handle, bytes, at).then(done, (failure: unknown) => {
      if (!hasFailed) fault = failure;
      hasFailed = true;
      done();
    });
    at += bytes.length;
  };
  const room = async (): Promise<void> => {
    while (!hasFailed && underWay() >= depth * lanes.length) await settled();
    if (hasFailed) throw fault;
    signal.throwIfAborted();
  };

  try {
    let isAsked = false;
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let from = 0; from < bytes.length; ) {
        const count = Math.min(bytes.length - from, requestBytes - staged);
        if (staged === 0 && count === requestBytes) send(bytes.subarray(from, from + count));
        else {
          stage ??= Buffer.allocUnsafe(requestBytes);
          staged += bytes.copy(stage, staged, from, from + count);
          if (staged === requestBytes) {
            send(stage);
            staged = 0;
          }
        }
        from += count;
        if (staged === 0) await room();
      }
      if (!isAsked && another !== undefined && at - start >= MUCH) {
        isAsked = true;
        const found = await another();
        if (found !== undefined) lanes.push({ ...found, busy: 0 });
      }
    }
    if (stage !== undefined && staged > 0) send(stage.subarray(0, staged));
  } finally {
    // Whatever happened: nothing of ours is under way when the file is closed or removed.
    while (underWay() > 0) await settled();
  }
  if (hasFailed) throw fault;
  signal.throwIfAborted();
  return at - start;
};

export interface ReceiveOptions {
  readonly start: number;
  /** Behind the last byte. */
  readonly end: number;
  readonly signal: AbortSignal;
  /** Made where fewer bytes are there. */
  readonly tooShort: () => Error;
}

/** The bytes of a file in order, read ahead by several requests. A chunk is good until the next one is asked for: its buffer is used again. */
export async function* receiveChunks({ session, handle }: Lane, options: ReceiveOptions): AsyncGenerator<Uint8Array> {
  const { start, end, signal, tooShort } = options;
  const { requestBytes, depth } = session;
  let next = start;
  const queue: { readonly buffer: Buffer; readonly length: number; readonly count: Promise<number> }[] = [];
  const request = (buffer: Buffer): void => {
    const length = Math.min(buffer.length, end - next);
    const count = readFully(session, handle, buffer.subarray(0, length), next);
    count.catch(() => {}); // looked at in its turn, or never when the reader has gone
    queue.push({ buffer, length, count });
    next += length;
  };
  while (queue.length < depth && next < end) request(Buffer.allocUnsafe(Math.min(requestBytes, end - next)));
  for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
    const count = await each.count;
    signal.throwIfAborted();
    if (count < each.length) throw tooShort();
    yield each.buffer.subarray(0, count);
    if (next < end) request(each.buffer);
  }
}

/** A server may answer with less than was asked for before the end of the file. */
const readFully = async (session: SftpSession, handle: Buffer, buffer: Buffer, position: number): Promise<number> => {
  let got = await session.read(handle, buffer, buffer.length, position);
  while (got > 0 && got < buffer.length) {
    const more = await session.read(handle, buffer.subarray(got), buffer.length - got, position + got);
    if (more === 0) break;
    got += more;
  }
  return got;
};
