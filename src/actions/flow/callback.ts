import { defineAction } from '../../core/action.ts';
import { actionName, either, oneOf, record } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { CallbackExecutorException, RecordedException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { demandOk } from '../../core/steps-result.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';

interface CallbackArgs {
  readonly trigger_function_name: string;
  readonly callback_function: string;
  readonly callback_function_param: unknown;
  readonly callback_param_method: 'kwargs' | 'args';
  readonly trigger_kwargs: Readonly<Record<string, unknown>>;
}

const callBack = async (ctx: Context, args: CallbackArgs): Promise<unknown> => {
  const { trigger_function_name: trigger, callback_function: callback, callback_function_param: param, trigger_kwargs } = args;
  demandKnown(ctx, trigger);
  demandKnown(ctx, callback);
  demandForm(args);
  const first = await ctx.runSteps([[trigger, verbatim(trigger_kwargs)]]);
  const [outcome] = first.results;
  if (outcome?.error !== undefined) throw new RecordedException(outcome.error);
  demandOk(first);
  demandOk(await ctx.runSteps([param === null ? [callback] : [callback, verbatim(param)]]));
  return outcome?.value ?? null;
};

/** The arguments were read once already; what a value holds by now is data, even where it looks like a reference. */
const verbatim = (given: unknown): unknown => rewriteJson(given, { text: (text) => text.replaceAll('${', () => '$${') });

const demandKnown = ({ services }: Context, name: string) => {
  if (services.registry.about(name) === undefined) {
    throw new CallbackExecutorException(`No action is called ${JSON.stringify(name.slice(0, 100))}; FA_list_actions has all names.`, {
      context: { action: name.slice(0, 100) },
    });
  }
};

const demandForm = ({ callback_function_param: param, callback_param_method: method }: CallbackArgs) => {
  if (param === null || Array.isArray(param) === (method === 'args')) return;
  throw new CallbackExecutorException(
    `callback_param_method is "${method}", so callback_function_param must be ${method === 'args' ? 'a list' : 'an object'}.`,
    {
      context: { argument: 'callback_function_param' },
    },
  );
};

export const callback = defineAction({
  name: 'FA_callback',
  summary: 'Runs one action and, when it succeeded, another; gives the value of the first.',
  args: {
    trigger_function_name: actionName('The action to run first.', { argumentsIn: 'trigger_kwargs' }),
    callback_function: actionName('The action to run after it.', { argumentsIn: 'callback_function_param' }),
    callback_function_param: either('Arguments of the second action.', [shapes.record(shapes.json()), shapes.list(shapes.json())], {
      default: null,
    }),
    callback_param_method: oneOf('Whether those are named or positional.', ['kwargs', 'args'], { default: 'kwargs' }),
    trigger_kwargs: record('Arguments of the first action, by name.', shapes.json(), { default: {} }),
  },
  returns: shapes.json(),
  examples: [
    {
      files: { 'a.txt': 'x' },
      args: {
        trigger_function_name: 'FA_remove_file',
        callback_function: 'FA_create_file',
        callback_function_param: { file_path: 'done', content: '1' },
        trigger_kwargs: { file_path: 'a.txt' },
      },
      value: true,
      leaves: { 'a.txt': null, done: '1' },
    },
  ],
  plan: callBack,
  run: callBack,
});
