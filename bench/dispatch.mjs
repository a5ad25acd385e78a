// How fast cheap commands go through every stage of the pipeline.
import { args, createFactotum, createPolicy, defineAction, shapes } from '../dist/index.js';

const { flag, integer, path, text } = args;
const LIST = 100_000;
const LISTS = 20;

const plain = defineAction({
  name: 'FA_bench_plain',
  summary: 'Does nothing with four arguments.',
  args: { name: text('A text.'), count: integer('A number.', { min: 0 }), loud: flag('A switch.'), note: text('A text.', { default: '' }) },
  returns: shapes.whole(),
  examples: [],
  run: (_, { count }) => count,
});

const guarded = defineAction({
  name: 'FA_bench_guarded',
  summary: 'Does nothing with two paths.',
  args: { from: path('A path.', { role: 'reads' }), to: path('A path.', { role: 'writes' }) },
  returns: shapes.boolean(),
  examples: [],
  run: () => true,
});

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const rateOf = async (work) => {
  const started = performance.now();
  await work();
  return LIST / ((performance.now() - started) / 1000);
};

const rate = async (work) => {
  const rates = [];
  for (let round = 0; round < LISTS; round += 1) rates.push(await rateOf(work));
  return median(rates);
};

/** What any pipeline must do at least: look the name up, check four values, call, keep the result. */
const bareLoop = (commands) => {
  const actions = new Map([['FA_bench_plain', ({ count }) => count]]);
  const results = [];
  for (const [name, given] of commands) {
    const action = actions.get(name);
    if (
      typeof given.name !== 'string' ||
      !Number.isSafeInteger(given.count) ||
      typeof given.loud !== 'boolean' ||
      typeof given.note !== 'string'
    )
      throw new TypeError('wrong');
    const started = performance.now();
    const value = action({ name: given.name, count: given.count, loud: given.loud, note: given.note });
    results.push({ name, status: 'ok', value, duration_ms: performance.now() - started });
  }
  return results;
};

export const run = async (report) => {
  const factotum = createFactotum({ log: { level: 'silent' } });
  factotum.registry.registerMany({ FA_bench_plain: plain, FA_bench_guarded: guarded });

  const commands = Array.from({ length: LIST }, (_, at) => [
    'FA_bench_plain',
    { name: `n${at % 7}`, count: at, loud: at % 2 === 0, note: 'x' },
  ]);
  await factotum.run(commands);
  // In turns: a machine that is slower for a while is slower for both.
  const pairs = [];
  for (let round = 0; round < LISTS; round += 1) {
    pairs.push({ ours: await rateOf(() => factotum.run(commands)), bare: await rateOf(async () => bareLoop(commands)) });
  }
  const ours = median(pairs.map((pair) => pair.ours));
  const peer = median(pairs.map(({ bare }) => bare));
  const ratio = median(pairs.map((pair) => pair.ours / pair.bare));
  // One of the two is enough: the first speaks of fast machines, the second of slow ones.
  const isNearBare = ratio >= 0.3;
  report({ name: 'dispatch/four-arguments', ours, unit: '/s', bar: isNearBare ? undefined : 1_000_000, better: 'higher' });
  report({
    name: 'dispatch/four-arguments-vs-bare-loop',
    ours,
    peer,
    value: ratio,
    unit: '/s',
    bar: isNearBare ? 0.3 : undefined,
    better: 'higher',
  });

  const caller = { name: 'limited', remote: true, policy: createPolicy({ readWrite: ['/srv/data'] }) };
  const guardedList = Array.from({ length: LIST }, (_, at) => [
    'FA_bench_guarded',
    { from: `/srv/data/in/${at % 9}.txt`, to: `/srv/data/out/${at % 9}.txt` },
  ]);
  const limited = await rate(() => factotum.run(guardedList, { caller }));
  report({ name: 'dispatch/limited-caller-two-paths', ours: limited, unit: '/s', bar: 500_000, better: 'higher' });

  const nested = Array.from({ length: 20_000 }, (_, at) => ['FA_execute_action', { action_list: [['FA_bench_plain', ['n', at, true]]] }]);
  await factotum.run(nested);
  const started = performance.now();
  await factotum.run(nested);
  report({ name: 'dispatch/20000-nested-lists', ours: (performance.now() - started) / 1000, unit: 's', bar: 0.5 });

  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < 10; round += 1) await factotum.run(commands);
  globalThis.gc?.();
  report({
    name: 'dispatch/heap-growth-over-ten-lists',
    ours: Math.max(0, process.memoryUsage().heapUsed - before) / 2 ** 20,
    unit: 'MiB',
    bar: 16,
  });
};
