import { setMaxListeners } from 'node:events';
import type { OnReadOpts, Socket } from 'node:net';
import { SMBException } from '../../../../core/errors.ts';
import type { Sealer } from '../security/sealing.ts';
import type { Signer } from '../security/signing.ts';
import { demandBytes, malformed, sliceOf } from '../wire/bytes.ts';
import { FLAG, HEADER_BYTES, type Header, MAGIC, readHeader, UNASKED } from '../wire/header.ts';
import { bareRequest } from '../wire/login.ts';
import type { Answer, Request } from '../wire/message.ts';
import { tooOld } from '../wire/negotiate.ts';
import { meaningOfStatus, STATUS } from '../wire/status.ts';
import { beginExchange, type Exchange, type ExchangeOptions } from './exchange.ts';
import { createFrameReader } from './frames.ts';
import { frameOf } from './outgoing.ts';
import { createWatch } from './watch.ts';

/** Who speaks on a connection and how it is protected; changes while the login goes on. */
export interface Standing {
  readonly sessionId: bigint;
  readonly treeId: number;
  /** Left out before the login, and for sessions of nobody, which have no key. */
  readonly signer?: Signer;
  readonly sealer?: Sealer | undefined;
  /** Everything goes encrypted, and nothing else is taken. */
  readonly isSealed: boolean;
  /** Requests are paid for by size. */
  readonly isLarge: boolean;
}

/** A connection to a server, whoever is logged in on it. */
export interface Connection {
  /** Sends requests in one frame and waits for all answers; whether they are what was hoped for is for others to judge. */
  exchange(requests: readonly Request[], options: ExchangeOptions): Promise<Answer[]>;
  /** What holds from the next message on. */
  stand(standing: Partial<Standing>): void;
  /** Why it has ended; undefined while it is open. */
  readonly ended: unknown;
  /** How many wait for answers. */
  readonly load: number;
  close(): void;
}

/** The largest piece that is read or written at once. */
export const MAX_PIECE_BYTES = 1024 * 1024;
const MAX_FRAME_BYTES = MAX_PIECE_BYTES + 64 * 1024;
/** As many credits as the largest window needs; more would only let a server pile up work. */
const WANTED_CREDITS = 512;
const MAX_CREDITS = 8192;
const MAX_EMPTY_ECHOES = 8;

interface Awaited {
  readonly exchange: Exchange;
  readonly index: number;
  readonly command: number;
  /** Set when the server has said that it takes longer. */
  asyncId?: bigint;
}

/** Connects; `connect` is told where what comes in is put. */
export const openConnection = async (
  connect: (onread: OnReadOpts) => Promise<Socket>,
  { host, timeoutMs }: { readonly host: string; readonly timeoutMs: number },
): Promise<Connection> => {
  let unheard = 0;
  const reader = createFrameReader(MAX_FRAME_BYTES, {
    onFrame: (frame, release) => onFrame(frame, release),
    onFault: (fault) => end(fault),
  });
  const socket = await connect({
    buffer: reader.buffer,
    callback(bytes) {
      unheard += bytes;
      if (unheard > 65_536) {
        unheard = 0;
        watch.progress(); // a large answer on a slow line
      }
      reader.callback(bytes);
      pump();
      return true;
    },
  });
  let standing: Standing = { sessionId: 0n, treeId: 0, isSealed: false, isLarge: false };
  let ended: unknown;
  let credits = 1;
  let nextId = 0;
  let emptyEchoes = 0;
  const awaited = new Map<number, Awaited>();
  const queue: { readonly exchange: Exchange; readonly charge: number }[] = [];

  const end = (fault: unknown): void => {
    if (ended !== undefined) return;
    ended = fault;
    watch.stop();
    socket.destroy();
    const all = new Set([...[...awaited.values()].map(({ exchange }) => exchange), ...queue.map(({ exchange }) => exchange)]);
    awaited.clear();
    queue.length = 0;
    for (const exchange of all) exchange.fail(fault);
  };
  const watch = createWatch(timeoutMs, {
    isWaiting: () => awaited.size > 0,
    isPromised: () => [...awaited.values()].every(({ asyncId }) => asyncId !== undefined),
    ask: () => void exchange([bareRequest('echo')], {}).catch(() => {}), // that it fails is told to all who wait
    giveUp: () => end(lost(`The SMB server ${host} did not answer within ${timeoutMs / 1000} s; try again later.`)),
  });
  const chargeOf = ({ payload = 0 }: Request): number => (standing.isLarge ? Math.max(1, Math.ceil(payload / 65_536)) : 1);

  const transmit = (exchange: Exchange, charge: number): void => {
    const { requests, options } = exchange;
    const firstId = nextId;
    let asked = Math.max(1, WANTED_CREDITS - credits);
    const charges = requests.map(chargeOf);
    const { pieces, message } = frameOf(requests, {
      ...standing,
      firstId,
      charges,
      creditsOf: () => {
        const credit = asked;
        asked = 1;
        return credit;
      },
    });
    credits -= charge;
    charges.forEach((each, index) => {
      awaited.set(nextId, { exchange, index, command: requests[index]?.command ?? 0 });
      nextId += each;
    });
    options.onSent?.(message);
    socket.ref();
    watch.start();
    socket.cork();
    for (const piece of pieces) socket.write(piece, watch.progress);
    socket.uncork();
  };

  /** Sends what waits as long as it can be paid for. */
  const pump = () => {
    if (ended !== undefined) return;
    for (let first = queue[0]; first !== undefined && first.charge <= credits; first = queue[0]) {
      queue.shift();
      transmit(first.exchange, first.charge);
    }
    if (queue.length === 0 || awaited.size > 0) return;
    // Nothing is under way that would bring credits, and what waits is too dear: an echo asks for more.
    emptyEchoes += 1;
    if (credits < 1 || emptyEchoes > MAX_EMPTY_ECHOES) return end(malformed('too few credits to ask it for anything'));
    transmit(beginExchange([bareRequest('echo')], {}, () => {}).exchange, 1);
  };

  const exchange = (requests: readonly Request[], options: ExchangeOptions): Promise<Answer[]> => {
    if (ended !== undefined) return Promise.reject(ended);
    const { signal } = options;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (signal !== undefined) setMaxListeners(0, signal); // all that goes on at once listens to one signal
    const begun = beginExchange(requests, options, (over) => {
      const at = queue.findIndex((each) => each.exchange === over);
      if (at >= 0) queue.splice(at, 1);
      for (const [id, each] of awaited) if (each.exchange === over) cancel(id, each);
    });
    queue.push({ exchange: begun.exchange, charge: requests.reduce((sum, each) => sum + chargeOf(each), 0) });
    pump();
    return begun.answers;
  };

  /** Tells the server that nobody waits for an answer that it has promised for later. It is answered all the same, so nothing is forgotten. */
  const cancel = (messageId: number, { asyncId }: Awaited): void => {
    if (asyncId === undefined || ended !== undefined) return;
    const { pieces } = frameOf([bareRequest('cancel')], { ...standing, firstId: messageId, charges: [0], creditsOf: () => 0, asyncId });
    for (const piece of pieces) socket.write(piece);
  };

  const judge = (header: Header, message: Buffer, isSealed: boolean): void => {
    if (isSealed || standing.signer === undefined) return;
    // A server that has forgotten the session has no key to sign with; all it can do with this is to end the connection.
    if (meaningOfStatus(header.status).endsSession === true) return;
    if (standing.isSealed) throw malformed('an answer that is not encrypted, where everything must be');
    if ((header.flags & FLAG.signed) === 0) throw malformed('an answer that is not signed');
    if (!standing.signer.isRight(message)) throw malformed('an answer whose signature is wrong');
  };

  const take = (message: Buffer, isSealed: boolean, release: () => void): void => {
    const header = readHeader(message);
    if (header.messageId === UNASKED) return;
    const found = awaited.get(header.messageId);
    if (found === undefined || found.command !== header.command) throw malformed('an answer to something that was not asked');
    credits = Math.min(MAX_CREDITS, credits + header.credits);
    if (header.status === STATUS.pending && (header.flags & FLAG.async) !== 0) {
      if (found.asyncId !== undefined) return;
      found.asyncId = header.asyncId;
      watch.progress();
      if (found.exchange.isOver) cancel(header.messageId, found);
      return;
    }
    judge(header, message, isSealed);
    watch.progress();
    emptyEchoes = 0;
    awaited.delete(header.messageId);
    if (awaited.size === 0) socket.unref();
    found.exchange.take(found.index, { status: header.status, message, release });
    if (standing.signer !== undefined && meaningOfStatus(header.status).endsSession === true) {
      end(lost(`The SMB server ${host} has ended the session; try again.`));
    }
  };

  const takeAll = (frame: Buffer, isSealed: boolean, release: () => void) => {
    for (let rest = frame; ; ) {
      demandBytes(rest, HEADER_BYTES, 'a message');
      const next = rest.readUInt32LE(20);
      if (next === 0) return take(rest, isSealed, rest === frame ? release : () => {});
      if (next < HEADER_BYTES || next % 8 !== 0) throw malformed('messages that overlap');
      take(sliceOf(rest, 0, next, 'a message'), isSealed, () => {});
      rest = rest.subarray(next);
    }
  };

  const onFrame = (frame: Buffer, release: () => void) => {
    if (ended !== undefined) return;
    demandBytes(frame, 4, 'a message');
    const magic = frame.readUInt32BE(0);
    if (magic === MAGIC.smb1) throw tooOld();
    if (magic === MAGIC.plain) return takeAll(frame, false, release);
    if (magic !== MAGIC.sealed || standing.sealer === undefined) throw malformed('something that is no message');
    const opened = standing.sealer.open(frame, standing.sessionId);
    release();
    takeAll(opened, true, () => {});
  };

  const broken = (cause?: unknown) =>
    end(lost(`The connection to the SMB server ${host} broke; try again.`, cause === undefined ? {} : { cause }));
  socket
    .on('error', broken)
    .once('end', () => broken())
    .once('close', () => broken());

  return {
    exchange,
    stand: (changes) => {
      standing = { ...standing, ...changes };
    },
    get ended() {
      return ended;
    },
    get load() {
      return awaited.size + queue.length;
    },
    close: () => end(lost(`The connection to the SMB server ${host} was closed.`)),
  };
};

const lost = (message: string, options: { readonly cause?: unknown } = {}): SMBException =>
  new SMBException(message, { ...options, context: { code: 'broken' }, retryable: true });
