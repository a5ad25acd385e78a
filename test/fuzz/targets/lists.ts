import { readJson } from '../../../src/lib/json/read.ts';
import type { Target } from '../target.ts';
import { openFuzzHouse, typed } from './house.ts';

const json = (...values: readonly unknown[]): Buffer[] => values.map((value) => Buffer.from(JSON.stringify(value)));

const LISTS = json(
  [
    ['FA_t_echo', ['x']],
    ['FA_t_echo', { value: '${results[0].value}' }],
    ['FA_copy_file', { file_path: 'in/keep', target_path: 'in/b' }],
  ],
  { actions: [['FA_t_echo', [1]]], stop_on_error: true, validate_first: true, mode: 'parallel', max_workers: 2, quota: { max_bytes: 10 } },
  {
    nodes: [
      { id: 'a', action: ['FA_t_echo', [1]] },
      { id: 'b', action: ['FA_t_echo', ['${nodes.a.value}']], depends_on: ['a'], run: 'always' },
    ],
  },
  [['FA_for_each', { items: [1, 2], actions: [['FA_t_echo', ['${item}']]] }]],
  [
    ['FA_if', { value: 1, equals: 1, then: [['FA_t_echo', [1]]], otherwise: [] }],
    ['FA_with_retry', { actions: [['FA_t_echo', [1]]] }],
  ],
);

/** A list, read as a door reads it and planned: what is planned touches nothing, whatever it says. */
const list: Target = {
  examples: LISTS,
  words: [
    '"dry_run":',
    'FA_for_each',
    'FA_execute_action',
    '"items":',
    '${item}',
    '"actions":',
    '[["',
    '"]]',
    '"expect_plan":',
    '1e999',
    '\\u0000',
  ],
  async open() {
    const fuzz = openFuzzHouse();
    return {
      async check(input) {
        let request: unknown;
        try {
          request = readJson(input, { maxDepth: 64 });
        } catch (fault) {
          typed(fault);
          return;
        }
        await fuzz.run(Array.isArray(request) || !isObject(request) ? { actions: request, dry_run: true } : { ...request, dry_run: true });
      },
      [Symbol.asyncDispose]: () => fuzz[Symbol.asyncDispose](),
    };
  },
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const substitution: Target = {
  examples: [
    '${date:%Y-%m-%d} ${uuid} ${cwd} $${x}',
    '${env:HOME} ${env:NONE|other}',
    '${results[0].value.a[1].b} ${results[0].status}',
    '${results[0].value["a"]}${results[-1].value}',
    'plain text, $ { } ${',
  ].map((text) => Buffer.from(text)),
  words: ['${', '}', '$$', 'results[0]', '.value', 'date:', '%', 'uuid', 'env:', '|', '[0]', '["', '"]', '\\', '${results[0].value}'],
  async open() {
    const fuzz = openFuzzHouse();
    return {
      async check(input) {
        const text = input.toString();
        await fuzz.run([
          ['FA_t_echo', { value: { a: [10, { b: 'x' }] } }],
          ['FA_t_echo', { value: text }],
          ['FA_t_echo', { value: { [text]: [text] } }],
        ]);
      },
      [Symbol.asyncDispose]: () => fuzz[Symbol.asyncDispose](),
    };
  },
};

export const lists = { list, substitution };
