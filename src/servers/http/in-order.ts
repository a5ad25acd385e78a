import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest } from './request.ts';

/** A request as Node hands it over. `proceed` asks the client for the body where it waits to be asked. */
export interface Asked {
  readonly request: HttpRequest;
  readonly response: ServerResponse;
  readonly proceed: (() => void) | undefined;
}

/** Requests of one connection, one after the other: none is begun before it is known that its answer can be sent. */
export interface InOrder {
  /** Begins a request once the one before it is answered, and never where that answer closes the connection. */
  begin(asked: Asked): void;
  /** Whether something else can begin on the connection now: no request is under way, and none was the last. */
  isFree(socket: Socket): boolean;
}

/** Called once a request is answered; the next one of its connection begins. */
export type Answered = (asked: Asked) => void;

interface Line {
  isBusy: boolean;
  /** The connection closes after an answer that was given. */
  isOver: boolean;
  /** Made where somebody does not wait for an answer before the next request: few do. */
  waiting: Asked[] | undefined;
}

/** Who has more requests waiting behind one that is under way takes memory, not answers. */
const MOST_WAITING = 1_000;

/**
 * A client that sees its connection close sends again what was not answered. So what follows an answer that closes must not run: its list
 * would run twice. Node reads requests that were sent together at once, also those behind one whose answer is not known yet.
 */
export const createInOrder = (answer: (asked: Asked, answered: Answered) => unknown): InOrder => {
  const lines = new WeakMap<Socket, Line>();

  const lineOf = (socket: Socket): Line => {
    let line = lines.get(socket);
    if (line === undefined) {
      line = { isBusy: false, isOver: false, waiting: undefined };
      lines.set(socket, line);
    }
    return line;
  };

  const start = (line: Line, asked: Asked): void => {
    line.isBusy = true;
    answer(asked, answered);
  };

  const answered: Answered = ({ request: { socket }, response }) => {
    const line = lineOf(socket);
    line.isBusy = false;
    if (!response.shouldKeepAlive || socket.destroyed) {
      line.isOver = true;
      line.waiting = undefined;
      return;
    }
    const next = line.waiting?.shift();
    if (next !== undefined) start(line, next);
  };

  return {
    begin(asked) {
      const { socket } = asked.request;
      const line = lineOf(socket);
      if (line.isOver) return;
      if (!line.isBusy) {
        start(line, asked);
        return;
      }
      line.waiting ??= [];
      if (line.waiting.length < MOST_WAITING) line.waiting.push(asked);
      else socket.destroy();
    },
    isFree(socket) {
      const line = lines.get(socket);
      return line === undefined || !(line.isBusy || line.isOver);
    },
  };
};
