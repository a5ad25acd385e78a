// Short lists that grow: a few kilobytes that would take gigabytes or never end if they were not bounded by what they expand to.

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const one = ['FA_substitute', { payload: 1 }];

const forEach = (depth: number, more: object = {}): readonly unknown[] =>
  depth === 0 ? one : ['FA_for_each', { items: numbers(300), actions: [forEach(depth - 1, more)], ...more }];

/** Each value repeats the one before ten times. */
const growing = (first: string, repeat: (reference: string) => unknown): readonly unknown[] => [
  ['FA_substitute', { payload: first }],
  ...numbers(9).map((at) => ['FA_substitute', { payload: repeat(`\${results[${at}].value}`) }]),
];

const failing = { actions: [['FA_fail', { message: 'no' }], ...numbers(2_000).map(() => one)], stop_on_error: true };

/** A list that runs itself twice; the file that it stands in is called `self.json` below the root of the caller. */
export const selfList = (path: string): string => JSON.stringify([['FA_execute_files', [[path, path]]]]);

/** The lists by what grows in them; `self` is the path of the list that runs itself. */
export const attacks = (self: string): Readonly<Record<string, unknown>> => ({
  'loops inside loops': [forEach(3)],
  'loops inside loops, all at once': [forEach(3, { max_workers: 300 })],
  'loops that are only planned': { actions: [forEach(3)], dry_run: true },
  'values inside values': growing('x'.repeat(100), (reference) => numbers(10).map(() => reference)),
  'texts inside texts': growing('x'.repeat(1_000), (reference) => reference.repeat(10)),
  'entries that are never begun': [
    ['FA_for_each', { items: numbers(300), actions: [['FA_for_each', { items: numbers(300), actions: failing }]] }],
  ],
  'a file that runs itself twice': [['FA_execute_files', [[self]]]],
});
