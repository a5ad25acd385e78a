import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection, one after the other: none is begun before it is known that its answer can be sent. */
export interface InOrder {
  /** Begins a request once the one before it is answered, and never where that answer closes the connection. */
  begin(socket: Socket, response: ServerResponse, answer: () => Promise<void>): void;
  /** Whether something else can begin on the connection now: no request is under way, and none was the last. */
  isFree(socket: Socket): boolean;
}

interface Line {
  isBusy: boolean;
  /** The connection closes after an answer that was given. */
  isOver: boolean;
  waiting: { readonly response: ServerResponse; readonly answer: () => Promise<void> }[];
}

/** Who has more requests waiting behind one that is under way takes memory, not answers. */
const MOST_WAITING = 1_000;

/**
 * A client that sees its connection close sends again what was not answered. So what follows an answer that closes must not run: its list
 * would run twice. Node reads requests that were sent together at once, also those behind one whose answer is not known yet.
 */
export const createInOrder = (): InOrder => {
  const lines = new WeakMap<Socket, Line>();

  const run = async (socket: Socket, line: Line, response: ServerResponse, answer: () => Promise<void>): Promise<void> => {
    line.isBusy = true;
    await answer();
    line.isBusy = false;
    if (!response.shouldKeepAlive || socket.destroyed) {
      line.isOver = true;
      line.waiting = [];
      return;
    }
    const next = line.waiting.shift();
    if (next !== undefined) void run(socket, line, next.response, next.answer);
  };

  return {
    begin(socket, response, answer) {
      let line = lines.get(socket);
      if (line === undefined) {
        line = { isBusy: false, isOver: false, waiting: [] };
        lines.set(socket, line);
      }
      if (line.isOver) return;
      if (!line.isBusy) void run(socket, line, response, answer);
      else if (line.waiting.length < MOST_WAITING) line.waiting.push({ response, answer });
      else socket.destroy();
    },
    isFree(socket) {
      const line = lines.get(socket);
      return line === undefined || !(line.isBusy || line.isOver);
    },
  };
};
