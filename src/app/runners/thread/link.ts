import { unpackFault } from '../../../lib/workers/messages.ts';
import type { CallInputs, CallName, FromRunner, ToRunner } from '../messages.ts';

/** The way from a runner thread to the house. */
export interface HouseLink {
  send(message: FromRunner): void;
  /** Has the house do something and waits for it; `id` is the order behind it, where there is one. */
  call<N extends CallName>(name: N, input: CallInputs[N], behind: { readonly runId: string; readonly id?: number }): Promise<unknown>;
  /** Hands an answer of the house to whoever waits for it. */
  answered(message: ToRunner & { readonly kind: 'answer' | 'refusal' }): void;
}

export const createHouseLink = (send: (message: FromRunner) => void): HouseLink => {
  const waiting = new Map<number, { done(value: unknown): void; fail(fault: Error): void }>();
  let last = 0;
  return {
    send,
    call: (name, input, { runId, id }) =>
      new Promise((done, fail) => {
        last += 1;
        waiting.set(last, { done, fail });
        send({ kind: 'call', runId, id, call: last, name, input });
      }),
    answered(message) {
      const asked = waiting.get(message.call);
      waiting.delete(message.call);
      if (message.kind === 'answer') asked?.done(message.value);
      else asked?.fail(unpackFault(message.fault));
    },
  };
};
