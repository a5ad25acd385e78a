import { type Action, defineAction } from '../../src/core/action.ts';
import { flag, integer, json, list, oneOf, path, steps, text } from '../../src/core/args.ts';
import * as shapes from '../../src/core/shapes.ts';
import { demandOk, runResult } from '../../src/core/steps-result.ts';
import { readJson } from '../../src/lib/json/read.ts';

/** The actions that the corpora speak of, and how often those that count were called. */
export interface FixtureActions {
  readonly touched: number;
  readonly actions: Readonly<Record<string, Action>>;
}

/** Makes the fixture actions with a counter of their own. */
export const fixtureActions = (): FixtureActions => {
  let touched = 0;
  const count = () => {
    touched += 1;
    return touched;
  };
  const all: readonly Action[] = [
    defineAction({ name: 'FA_t_touch', summary: 'Counts a call.', args: {}, returns: shapes.integer(), examples: [], run: count }),
    defineAction({
      name: 'FA_t_deny',
      summary: 'Counts a call that no access list allows.',
      args: {},
      returns: shapes.integer(),
      examples: [],
      run: count,
    }),
    echo,
    typed,
    runList,
    runFile,
    polluted,
  ];
  return {
    get touched() {
      return touched;
    },
    actions: Object.fromEntries(all.map((action) => [action.name, action])),
  };
};

const echo = defineAction({
  name: 'FA_t_echo',
  summary: 'Gives its value back.',
  args: { value: json('Anything.') },
  returns: shapes.json(),
  examples: [],
  run: (_, { value }) => value,
});

const typed = defineAction({
  name: 'FA_t_typed',
  summary: 'Gives its arguments back.',
  args: {
    path: text('Any text.'),
    count: integer('From 1 to 10.', { default: 1, min: 1, max: 10 }),
    flag: flag('A switch.', { default: false }),
    mode: oneOf('One of two.', ['a', 'b'], { default: 'a' }),
    tags: list('Texts.', shapes.text(), { default: [] }),
  },
  returns: shapes.json(),
  examples: [],
  run: (_, args) => args,
});

const runList = defineAction({
  name: 'FA_t_run_list',
  summary: 'Runs a nested list.',
  args: { action_list: steps('The commands.') },
  returns: runResult,
  examples: [],
  plan: async ({ runSteps }, { action_list }) => demandOk(await runSteps(action_list)),
  run: async ({ runSteps }, { action_list }) => demandOk(await runSteps(action_list)),
});

const runFile = defineAction({
  name: 'FA_t_run_file',
  summary: 'Reads a list from a file and runs it.',
  args: { path: path('The file.', { role: 'reads' }) },
  returns: runResult,
  examples: [],
  run: async ({ files, runSteps }, { path: file }) => demandOk(await runSteps(readJson(await files.read(file)))),
});

const polluted = defineAction({
  name: 'FA_t_polluted',
  summary: 'Tells whether every object has got a member called polluted.',
  args: {},
  returns: shapes.flag(),
  examples: [],
  run: () => 'polluted' in {},
});
