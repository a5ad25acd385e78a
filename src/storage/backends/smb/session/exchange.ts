import type { Answer, Request } from '../wire/message.ts';

export interface ExchangeOptions {
  /** Ends the wait; what was sent already is answered all the same. */
  readonly signal?: AbortSignal;
  /** Told of answers that came after the wait had ended, so that what they opened can be closed. */
  readonly onLate?: (answers: readonly Answer[]) => void;
  /** Told of the message as it was sent; only for requests that go alone. */
  readonly onSent?: (message: Buffer) => void;
}

/** Requests that go out in one frame, and who waits for their answers. */
export interface Exchange {
  readonly requests: readonly Request[];
  readonly options: ExchangeOptions;
  /** Takes the answer to one of the requests; ends the wait with the last. */
  take(index: number, answer: Answer): void;
  fail(fault: unknown): void;
  /** Nobody waits any more. */
  readonly isOver: boolean;
}

/** Begins a wait. `onAbort` is called when the signal ends it. */
export const beginExchange = (
  requests: readonly Request[],
  options: ExchangeOptions,
  onAbort: (exchange: Exchange) => void,
): { readonly exchange: Exchange; readonly answers: Promise<Answer[]> } => {
  const { signal, onLate } = options;
  const found: Answer[] = [];
  let left = requests.length;
  let isOver = false;
  let settle: { resolve(answers: Answer[]): void; reject(fault: unknown): void };
  const answers = new Promise<Answer[]>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const end = (): void => {
    isOver = true;
    signal?.removeEventListener('abort', abort);
  };
  const abort = (): void => {
    end();
    settle.reject(signal?.reason);
    onAbort(exchange);
  };
  const exchange: Exchange = {
    requests,
    options,
    take(index, answer) {
      found[index] = answer;
      left -= 1;
      if (left > 0) return;
      if (isOver) {
        onLate?.(found);
        for (const each of found) each.release();
        return;
      }
      end();
      settle.resolve(found);
    },
    fail(fault) {
      if (isOver) return;
      end();
      settle.reject(fault);
    },
    get isOver() {
      return isOver;
    },
  };
  signal?.addEventListener('abort', abort, { once: true });
  return { exchange, answers };
};
