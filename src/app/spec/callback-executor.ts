import { either, json, oneOf, record, text } from '../../core/args.ts';
import type { PlainFunction } from '../../core/ready.ts';
import * as shapes from '../../core/shapes.ts';
import { type CallOf, handed, readArguments } from '../library/arguments.ts';
import { CallbackExecutor as Callbacks } from '../library/callback-executor.ts';
import type { ActionName } from '../typed/commands.ts';

const functionShape = handed<PlainFunction>('a function', (value) => typeof value === 'function');
const PARAMETERS = [
  ['trigger_function_name', text('The action to run first.')],
  ['callback_function', either('The function to call then.', [functionShape])],
  ['callback_function_param', json('What the function is given.', { default: null })],
  ['callback_param_method', oneOf('How it is given.', ['kwargs', 'args'], { default: 'kwargs' })],
  ['trigger_kwargs', record('The arguments of the action.', shapes.json(), { default: {} })],
] as const;

/** Runs an action, then a function of the program. */
export class CallbackExecutor {
  readonly #callbacks = new Callbacks();

  async callback_function(...call: CallOf<typeof PARAMETERS>): Promise<unknown> {
    const given = readArguments('callback_function', PARAMETERS, call);
    const param = given.callback_function_param ?? undefined;
    return this.#callbacks.run({
      action: given.trigger_function_name as ActionName, // one that is unknown is refused
      args: given.trigger_kwargs,
      callback: given.callback_function,
      param: given.callback_param_method === 'kwargs' && param !== undefined ? [param] : param,
    });
  }
}
