import type { Socket } from 'node:net';
import { within } from '../../../lib/async/within.ts';
import type { StorageFaults } from '../../faults.ts';
import type { DataLine } from './control.ts';
import { faultOfReply } from './faults.ts';
import type { Reply } from './reply.ts';

export interface TransferWorld {
  readonly faults: StorageFaults;
  readonly host: string;
  readonly timeoutMs: number;
  /** What is done and with what, for messages: `Writing ftp+x://a`. */
  readonly what: string;
  readonly location: string;
  readonly signal: AbortSignal;
}

/** Small chunks are gathered to this length. */
const GATHERED = 256 * 1024;
/** How long the server has to notice that a transfer was given up, before its connection is. */
const FAREWELL_MS = 2000;

/** Ends the socket when nothing moves, or when the signal says so; what it ended with is `why`. */
const watched = (socket: Socket, { signal, timeoutMs, faults, host }: TransferWorld) => {
  let why: unknown;
  const end = (fault: unknown): void => {
    why ??= fault;
    socket.destroy();
  };
  const stop = () => end(signal.reason);
  const broken = (reason: string) =>
    faults.because('broken', `The data connection to ${host} broke (${reason}); try again.`, { retryable: true, context: { host } });
  socket.setTimeout(timeoutMs, () => end(broken(`nothing moved for ${timeoutMs / 1000} s`)));
  socket.on('error', (fault: NodeJS.ErrnoException) => end(broken(fault.code ?? fault.message.slice(0, 100))));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return {
    fault: (): unknown => why ?? broken('it was closed'),
    release: () => signal.removeEventListener('abort', stop),
  };
};

/** Sends chunks over a data connection; returns how many bytes went when the server has taken them all. */
export const sendData = async (line: DataLine, chunks: AsyncIterable<Uint8Array>, world: TransferWorld): Promise<number> => {
  const { socket } = line;
  const watch = watched(socket, world);
  let sent = 0;
  let isLineBroken = false;
  const fail = (): unknown => {
    isLineBroken = true;
    return watch.fault();
  };
  const put = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed || !socket.writable) return reject(fail());
      return socket.write(bytes, (fault) => (fault ? reject(fail()) : resolve()));
    });
  try {
    // What has been handed to the system may be overwritten: every write is waited for.
    for await (const bytes of gathered(chunks)) {
      await put(bytes);
      sent += bytes.byteLength;
    }
    world.signal.throwIfAborted();
    socket.end();
  } catch (fault) {
    const reply = await farewell(line);
    world.signal.throwIfAborted();
    // The server's own reason says more than a broken connection.
    if (isLineBroken && reply !== undefined && reply.code >= 400) throw faultOfReply(world.faults, reply, world.what, world.location);
    throw fault;
  } finally {
    watch.release();
  }
  demandDone(await line.finish(), world);
  return sent;
};

export interface Reception extends TransferWorld {
  /** How many bytes are wanted; the rest is not waited for. */
  readonly wanted: number;
}

/** The bytes of a data connection; ends behind those that are wanted, and fails where fewer came. */
export async function* receiveData(line: DataLine, world: Reception): AsyncGenerator<Uint8Array> {
  const { socket } = line;
  const watch = watched(socket, world);
  let got = 0;
  let isOver = false;
  try {
    while (got < world.wanted) {
      const chunk = await line.inflow.next();
      if (chunk === undefined) break;
      const bytes = got + chunk.length > world.wanted ? chunk.subarray(0, world.wanted - got) : chunk;
      got += bytes.length;
      yield bytes;
    }
    isOver = true;
  } finally {
    watch.release();
    if (!isOver) await farewell(line);
  }
  if (got === world.wanted && !socket.readableEnded) {
    // Either more is there than was wanted, or the end is about to come.
    const more = await line.inflow.next();
    if (more !== undefined) return void (await farewell(line));
  }
  demandDone(await line.finish(), world);
  if (got < world.wanted) throw watch.fault();
}

/** The whole of a data connection as text, within bounds. */
export const receiveText = async (line: DataLine, maxBytes: number, world: TransferWorld): Promise<string> => {
  const watch = watched(line.socket, world);
  const all: Buffer[] = [];
  let bytes = 0;
  try {
    for (let chunk = await line.inflow.next(); chunk !== undefined; chunk = await line.inflow.next()) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw world.faults.because('broken', `The list of ${world.location} has more than ${maxBytes} bytes; list a smaller directory.`);
      all.push(Buffer.from(chunk)); // a copy: the next one may overwrite it
    }
  } catch (fault) {
    await farewell(line);
    throw fault;
  } finally {
    watch.release();
  }
  const isBroken = line.socket.errored !== null;
  demandDone(await line.finish(), world);
  if (isBroken || world.signal.aborted) throw watch.fault();
  return Buffer.concat(all).toString('utf8');
};

/** Gives a transfer up; the connection for commands can be used again when the server has said something to that. */
const farewell = async (line: DataLine): Promise<Reply | undefined> => {
  line.socket.destroy();
  let reply: Reply | undefined;
  let isInStep = false;
  const over = async (): Promise<void> => {
    reply = await line.finish();
    await line.sync();
    isInStep = true;
  };
  await within(FAREWELL_MS, over());
  if (!isInStep) line.giveUp();
  return reply;
};

const demandDone = (reply: Reply, { faults, what, location }: TransferWorld): void => {
  if (reply.code < 200 || reply.code >= 300) throw faultOfReply(faults, reply, what, location);
};

/** Large chunks as they are, small ones together in one buffer. */
async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let stage: Buffer | undefined;
  let staged = 0;
  for await (const chunk of chunks) {
    if (staged === 0 && chunk.byteLength >= GATHERED / 4) {
      yield chunk;
      continue;
    }
    stage ??= Buffer.allocUnsafe(GATHERED);
    for (let at = 0; at < chunk.byteLength; ) {
      const piece = chunk.subarray(at, at + GATHERED - staged);
      stage.set(piece, staged);
      staged += piece.byteLength;
      at += piece.byteLength;
      if (staged === GATHERED) {
        yield stage;
        staged = 0;
      }
    }
  }
  if (stage !== undefined && staged > 0) yield stage.subarray(0, staged);
}
