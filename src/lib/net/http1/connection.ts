import type { Socket } from 'node:net';
import type { AnswerHead } from './answer-head.ts';
import { type AnswerReader, createAnswerReader } from './answer-reader.ts';
import { cutOff, silent } from './faults.ts';
import { createReceiving } from './receiving.ts';
import { sendBody } from './sending.ts';
import { createSilence } from './silence.ts';

/** One request as it goes over a connection. */
export interface Exchange {
  readonly method: string;
  readonly head: Buffer;
  readonly body?: Uint8Array | { readonly bytes: number | undefined; readonly chunks: AsyncIterable<Uint8Array> } | undefined;
  readonly signal: AbortSignal;
}

export interface ExchangeAnswer {
  readonly head: AnswerHead;
  /** A chunk is good until the next one is asked for. Given up early it costs the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ConnectionOptions {
  /** How long the head of an answer may take. */
  readonly firstByteMs: number;
  /** How long a server may be silent in the middle of something. */
  readonly idleMs: number;
  /** Called once, when the answer has ended in order and another request may follow. */
  onFree(): void;
  onClose(): void;
}

/** A connection of HTTP/1.1: one request at a time. */
export interface HttpConnection {
  /** Whether something has been answered on it before. */
  readonly isUsed: boolean;
  /** Whether a byte of the present answer has come. */
  readonly hasBegun: boolean;
  readonly isClosed: boolean;
  exchange(exchange: Exchange): Promise<ExchangeAnswer>;
  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void;
  destroy(): void;
}

/** What is under way on a connection. */
interface Turn {
  readonly reader: AnswerReader;
  /** Content that has come, each with the memory that it lies in. */
  readonly waiting: { readonly content: Buffer; readonly piece: Buffer }[];
  /** The piece that is being read. */
  current: Buffer | undefined;
  isSent: boolean;
  /** Nobody wants the rest of the body. */
  isDropped: boolean;
  fault: { readonly reason: unknown } | undefined;
  /** Told when something has changed. */
  wake: (() => void) | undefined;
  /** The same for whoever sends the request. */
  wakeSender: (() => void) | undefined;
}

/** Opens a connection; `dial` is given the memory that it fills. */
export const openConnection = async (
  dial: (onread: ReturnType<typeof createReceiving>['onread']) => Promise<Socket>,
  { firstByteMs, idleMs, onFree, onClose }: ConnectionOptions,
): Promise<HttpConnection> => {
  let turn: Turn | undefined;
  let isUsed = false;
  let hasBegun = false;
  let socket: Socket | undefined;
  const receiving = createReceiving((piece, bytes) => {
    silence.touch();
    const handed = turn === undefined ? false : take(turn, piece, bytes);
    if (turn === undefined) socket?.destroy(); // nobody has asked for anything
    if (!handed) receiving.release(piece);
  });

  /** Tells whether the memory was handed on. */
  const take = (now: Turn, piece: Buffer, bytes: number): boolean => {
    if (now.fault !== undefined) return false;
    hasBegun = true;
    try {
      const content = now.reader.take(piece.subarray(0, bytes));
      if (now.reader.hasMore) socket?.destroy(); // what came is whole, but nothing else will be
      if (content.byteLength === 0) return false;
      now.waiting.push({ content, piece });
      return true;
    } catch (fault) {
      fail(fault);
      return false;
    } finally {
      now.wake?.();
      now.wakeSender?.();
    }
  };

  const fail = (reason: unknown): void => {
    if (turn !== undefined) {
      turn.fault ??= { reason };
      turn.wake?.();
      turn.wakeSender?.();
    }
    socket?.destroy();
  };

  const ended = (): void => {
    if (turn === undefined || turn.fault !== undefined) return void socket?.destroy();
    try {
      turn.reader.end();
      if (!turn.reader.isDone) throw cutOff();
    } catch (fault) {
      turn.fault = { reason: fault };
    }
    turn.wake?.();
    socket?.destroy();
  };

  const silence = createSilence((limitMs) => fail(silent(limitMs)));

  const finish = (now: Turn): void => {
    if (turn !== now) return;
    turn = undefined;
    silence.end();
    const { head, hasMore } = now.reader;
    if (!now.isSent || hasMore || head?.isKept !== true || socket === undefined || socket.destroyed) return void socket?.destroy();
    onFree();
  };

  const change = (now: Turn): Promise<void> =>
    new Promise((resolve) => {
      now.wake = () => {
        now.wake = undefined;
        resolve();
      };
    });

  async function* read(now: Turn, forget: () => void): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (now.current !== undefined) receiving.release(now.current);
        now.current = undefined;
        const next = now.waiting.shift();
        if (next !== undefined) {
          now.current = next.piece;
          yield next.content;
        } else if (now.fault !== undefined) throw now.fault.reason;
        else if (now.reader.isDone) return;
        else {
          silence.waitFor(idleMs, 'at a time');
          await change(now);
          silence.stop();
        }
      }
    } finally {
      drop(now);
      forget();
    }
  }

  /** The end of a body, in order or before it. */
  const drop = (now: Turn): void => {
    if (now.isDropped) return;
    now.isDropped = true;
    for (const { piece } of now.waiting.splice(0)) receiving.release(piece);
    if (now.current !== undefined) receiving.release(now.current);
    now.current = undefined;
    if (!now.reader.isDone || now.fault !== undefined) {
      now.fault ??= { reason: cutOff() };
      socket?.destroy();
    }
    finish(now);
    now.wake?.();
  };

  const opened = await dial(receiving.onread);
  socket = opened;
  receiving.attach(opened);
  opened.on('error', fail);
  opened.on('end', ended);
  opened.once('close', () => {
    ended();
    onClose();
  });
  opened.resume();

  return {
    get isUsed() {
      return isUsed;
    },
    get hasBegun() {
      return hasBegun;
    },
    get isClosed() {
      return opened.destroyed;
    },
    hold: (isHeld) => void (isHeld ? opened.ref() : opened.unref()),
    destroy: () => void opened.destroy(),
    async exchange({ method, head, body, signal }) {
      signal.throwIfAborted();
      const now: Turn = {
        reader: createAnswerReader(method),
        waiting: [],
        current: undefined,
        isSent: body === undefined || isShort(body),
        isDropped: false,
        fault: undefined,
        wake: undefined,
        wakeSender: undefined,
      };
      turn = now;
      hasBegun = false;
      const stop = () => fail(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const forget = () => signal.removeEventListener('abort', stop);
      try {
        if (opened.destroyed) throw cutOff();
        opened.cork();
        opened.write(head);
        if (isShort(body)) opened.write(body);
        process.nextTick(() => opened.uncork());
        const sending = body === undefined || isShort(body) ? undefined : send(now, body);
        silence.waitFor(sending === undefined ? firstByteMs : idleMs, sending === undefined ? 'in all' : 'at a time');
        while (now.reader.head === undefined) {
          if (now.fault !== undefined) throw now.fault.reason;
          await change(now);
        }
        silence.stop();
        if (now.isSent) await sending; // its source may still have a fault to tell
        if (now.fault !== undefined && now.waiting.length === 0 && !now.reader.isDone) throw now.fault.reason;
      } catch (fault) {
        now.isDropped = true;
        opened.destroy();
        finish(now);
        forget();
        throw signal.aborted ? signal.reason : fault;
      }
      isUsed = true;
      const { head: answered } = now.reader;
      if (now.reader.isDone && now.waiting.length === 0) {
        // Nothing is to come: the connection is free, whether anybody looks at the body or not.
        drop(now);
        forget();
      }
      return {
        head: answered,
        body: droppable(read(now, forget), () => {
          drop(now);
          forget();
        }),
      };
    },
  };

  async function send(now: Turn, body: NonNullable<Exchange['body']>): Promise<void> {
    const isAnswered = () => now.reader.head !== undefined || now.fault !== undefined;
    try {
      await sendBody(opened, {
        bytes: body instanceof Uint8Array ? body.byteLength : body.bytes,
        chunks: body instanceof Uint8Array ? inPieces(body) : body.chunks,
        isOver: isAnswered,
        setWake(wake) {
          now.wakeSender = wake;
        },
        onSent() {
          now.isSent = true;
          if (!isAnswered()) silence.waitFor(firstByteMs, 'in all');
        },
        onActivity(isWaiting) {
          silence.touch();
          if (isAnswered()) return;
          if (now.isSent)
            silence.waitFor(firstByteMs, 'in all'); // a slow line takes the last pieces slowly
          else if (isWaiting) silence.waitFor(idleMs, 'at a time');
          else silence.stop();
        },
      });
    } catch (fault) {
      if (now.reader.head === undefined || now.isSent) fail(fault);
    }
  }
};

/** So much is handed over at once; longer bodies go piece by piece, so that a slow line is told from a dead one. */
const SHORT_BYTES = 64 * 1024;

const isShort = (body: Exchange['body']): body is Uint8Array => body instanceof Uint8Array && body.byteLength <= SHORT_BYTES;

async function* inPieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.byteLength; at += SHORT_BYTES) yield body.subarray(at, at + SHORT_BYTES);
}

/** A generator that was never begun has no end either, so that giving it up is told apart. */
const droppable = (chunks: AsyncGenerator<Uint8Array>, drop: () => void): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => chunks.next(),
    async return() {
      drop();
      return chunks.return(undefined);
    },
  }),
});
