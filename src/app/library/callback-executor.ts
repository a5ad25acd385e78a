import { errorOf } from '../../core/error-of.ts';
import { CallbackExecutorException } from '../../core/errors.ts';
import type { PlainFunction } from '../../core/ready.ts';
import { unchecked } from '../../core/unchecked.ts';
import { demandKnownKeys, type KnownKeys } from '../../lib/text/known-keys.ts';
import type { ActionMap } from '../actions.generated.ts';
import type { Factotum } from '../factotum.ts';
import type { Instance } from '../instance/instance.ts';
import { sharedFactotum } from '../shared-factotum.ts';
import type { ActionValue } from '../typed/call.ts';
import type { ActionName, Arguments } from '../typed/commands.ts';

/** What to run first, and how the function after it is called. */
export interface CallbackCall<N extends ActionName = ActionName> {
  /** The action to run. */
  readonly action: N;
  readonly args?: Arguments<ActionMap, N>;
  /** The function to call once the action succeeded. */
  readonly callback: PlainFunction;
  /** A list becomes the function's arguments, anything else its only one. */
  readonly param?: unknown;
}

const KNOWN: KnownKeys<CallbackCall> = { action: true, args: true, callback: true, param: true };

/** Runs an action and then a function of the program. */
export class CallbackExecutor {
  readonly #factotum: () => Pick<Instance, 'registry' | 'run'>;

  constructor(factotum?: Factotum) {
    this.#factotum = factotum === undefined ? sharedFactotum : () => ({ ...factotum, run: (list) => factotum.run(unchecked(list)) });
  }

  /** Gives the action's value. A failed action throws its error and nothing is called. */
  async run<N extends ActionName>(call: CallbackCall<N>): Promise<ActionValue<N>> {
    demandKnownKeys(call, KNOWN, 'CallbackExecutor.run');
    const { action, args = {}, callback, param } = call;
    const factotum = this.#factotum();
    if (factotum.registry.about(action) === undefined) {
      throw new CallbackExecutorException(`No action is called ${JSON.stringify(action)}; register it first.`, { context: { action } });
    }
    const { results } = await factotum.run([[action, args]]);
    const [outcome] = results;
    if (outcome?.error !== undefined) throw errorOf(outcome.error);
    const given = param === undefined ? [] : Array.isArray(param) ? param : [param];
    // A function of the embedding program takes whatever that program hands it.
    await callback(...(given as never[]));
    return (outcome?.value ?? null) as ActionValue<N>; // as its definition promises
  }
}
