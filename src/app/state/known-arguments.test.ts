import { expect, test } from 'vitest';
import { type ArgumentsOf, knownArguments } from './known-arguments.ts';

const command = (index: number, state: string, value?: unknown, id: string | null = null) => ({ index, id, state, value });
const run = (body: ArgumentsOf['body'], more: Partial<ArgumentsOf> = {}): ArgumentsOf => ({
  body,
  named: new Map([['event', { path: '/in/a', size: 3 }]]),
  startedMs: Date.UTC(2026, 0, 5, 12),
  commands: [command(0, 'ok', { name: 'x' }), command(1, 'indeterminate')],
  ...more,
});

test.each<[string, unknown, unknown]>([
  ['the event', ['${event.path}', '${event.size}', 'of ${event.path}'], ['/in/a', 3, 'of /in/a']],
  ['earlier results', { path: '${results[0].value.name}' }, { path: 'x' }],
  ['what was not recorded', ['${results[7].value}', '${event.gone}'], ['${results[7].value}', '${event.gone}']],
  [
    'variables and new ids, which are left as written',
    ['${env:A}/${event.path}', '${uuid}', '${cwd}'],
    ['${env:A}//in/a', '${uuid}', '${cwd}'],
  ],
  ['the day of the start', ['${date:%Y}'], ['2026']],
  ['what is no reference', [1, null, '$${event.path}'], [1, null, '${event.path}']],
])('%s', (_, given, known) => {
  expect(
    knownArguments(
      run([
        ['FA_stat', ['.']],
        ['FA_mine', given as never],
      ]),
      1,
    ),
  ).toEqual(known);
});

test('results that a nested list names are its own', () => {
  const nested = [['FA_stat', ['${results[0].value}', '${event.path}', '${item}']]];
  const body = [
    ['FA_stat', ['.']],
    ['FA_for_each', { items: '${results[0].value.name}', actions: nested }],
  ];
  expect(knownArguments(run(body), 1)).toEqual({ items: 'x', actions: [['FA_stat', ['${results[0].value}', '/in/a', '${item}']]] });
});

test('nodes of a graph are known by their ids', () => {
  const nodes = [
    { id: 'a', action: ['FA_stat', ['.']] },
    { id: 'b', action: ['FA_mine', ['${nodes.a.value}']], depends_on: ['a'] },
  ];
  expect(knownArguments(run({ nodes }, { commands: [command(0, 'ok', 7, 'a'), command(1, 'indeterminate', undefined, 'b')] }), 1)).toEqual([
    7,
  ]);
});

test('a list that cannot be read tells nothing', () => {
  expect(knownArguments(run('no list'), 0)).toBeUndefined();
});
