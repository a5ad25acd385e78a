import { defineAction } from '../../core/action.ts';
import { json, steps, text } from '../../core/args.ts';
import { describeAction } from '../../core/describe.ts';
import { UnknownActionException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { names } from './run-result.ts';

export const validate = defineAction({
  name: 'FA_validate',
  summary: 'Checks a list without running it; gives the names of its commands.',
  args: { action_list: steps('The commands; those that the caller may not run are refused.', { areChecked: true }) },
  returns: names,
  idempotent: true,
  examples: [{ args: { action_list: [['FA_stat', { path: 'a.txt' }], ['FA_progress_list']] }, value: ['FA_stat', 'FA_progress_list'] }],
  run: ({ validateSteps }, { action_list }) => validateSteps(action_list),
});

export const substitute = defineAction({
  name: 'FA_substitute',
  summary: 'Reads the references in every text of a value.',
  args: { payload: json('Any value; arguments are read before an action starts, so it arrives expanded.') },
  returns: shapes.json(),
  idempotent: true,
  pure: true,
  examples: [{ args: { payload: ['${date:literal}', 1] }, value: ['literal', 1] }],
  run: (_, { payload }) => payload,
});

export const listActions = defineAction({
  name: 'FA_list_actions',
  summary: 'Names all actions.',
  args: {},
  returns: names,
  idempotent: true,
  examples: [{ args: {} }],
  run: ({ services }) => services.registry.names(),
});

export const describe = defineAction({
  name: 'FA_describe_action',
  summary: 'Describes one action: arguments, schema, effects, examples.',
  args: { name: text('The name of the action.') },
  returns: shapes.record(shapes.json()),
  idempotent: true,
  examples: [{ args: { name: 'FA_stat' } }],
  async run({ services }, { name }) {
    await services.registry.load([name]);
    const ready = services.registry.resolve(name);
    if (ready === undefined)
      throw new UnknownActionException(`No action is called ${JSON.stringify(name.slice(0, 100))}; FA_list_actions has all names.`, {
        context: { action: name.slice(0, 100) },
      });
    return describeAction(ready);
  },
});
