import { ArgumentException } from '../../core/errors.ts';
import type { PlainFunction } from '../../core/ready.ts';
import { CallbackExecutor as Callbacks } from '../library/callback-executor.ts';
import { readArguments } from './keywords.ts';

interface CallbackArguments {
  readonly trigger_function_name: string;
  readonly callback_function: PlainFunction;
  readonly callback_function_param?: unknown;
  readonly callback_param_method?: 'kwargs' | 'args';
  readonly trigger_kwargs?: Readonly<Record<string, unknown>>;
}

const KINDS = {
  trigger_function_name: 'string',
  callback_function: 'function',
  callback_function_param: 'any',
  callback_param_method: 'string',
  trigger_kwargs: 'any',
} as const;

/** Runs an action, then a function of the program. */
export class CallbackExecutor {
  readonly #callbacks = new Callbacks();

  async callback_function(
    trigger_function_name: string | CallbackArguments,
    callback_function?: PlainFunction,
    callback_function_param?: unknown,
    callback_param_method?: 'kwargs' | 'args',
    trigger_kwargs?: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const {
      trigger_function_name: action,
      callback_function: callback,
      callback_function_param: given,
      callback_param_method: method = 'kwargs',
      trigger_kwargs: args = {},
    } = readArguments<CallbackArguments>('callback_function', KINDS, [
      trigger_function_name,
      callback_function,
      callback_function_param,
      callback_param_method,
      trigger_kwargs,
    ]);
    if (action === undefined || callback === undefined) {
      throw new ArgumentException('callback_function needs trigger_function_name and callback_function.');
    }
    const param = method === 'kwargs' && given !== undefined ? [given] : given;
    return this.#callbacks.run({ action, args, callback, param });
  }
}
