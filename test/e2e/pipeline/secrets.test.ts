import { describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';

const SECRET = 'hunter2-Tr0ub4dor';
const env = { API_TOKEN: SECRET, PLAIN: 'nothing-to-hide' };

describe('a secret of the environment', () => {
  test('reaches the action that asks for it, and is hidden from then on', async () => {
    await using house = openHouse({ env });
    const result = await house.run([
      ['FA_t_echo', { value: 'Bearer ${env:API_TOKEN}' }],
      ['FA_t_echo', { value: '${env:PLAIN}' }],
    ]);
    expect(result.results.map(({ value }) => value)).toEqual([`Bearer ${SECRET}`, 'nothing-to-hide']);
    const shown = JSON.stringify(house.factotum.masker.known(result));
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain('"value":"Bearer ***"');
    expect(shown).toContain('nothing-to-hide');
  });

  test.each([
    ['a wrong argument', ['FA_t_typed', { path: 'a', mode: '${env:API_TOKEN}' }]],
    ['a missing file', ['FA_read_file', { file_path: '${env:API_TOKEN}' }]],
    ['a function that repeats it', ['FA_repeat', ['${env:API_TOKEN}']]],
    ['a nested list', ['FA_t_run_list', [[['FA_repeat', ['${env:API_TOKEN}']]]]]],
  ])('is in no line of the log when %s fails', async (_, command) => {
    await using house = openHouse({ env, logLevel: 'debug' });
    house.factotum.registry.register('FA_repeat', (text: string) => {
      throw new Error(`cannot use ${text}`);
    });
    const { results } = await house.run([command]);
    expect(results[0]?.status).toBe('failed');
    expect(house.lines.length).toBeGreaterThan(0);
    expect(house.lines.join('\n')).not.toContain(SECRET);
  });

  test('is in no line of the log when a bug of ours shows it', async () => {
    await using house = openHouse({ env });
    house.factotum.registry.registerFamily({
      actions: [{ name: 'FA_buggy', family: 'buggy', group: 'buggy', effects: [], steps: [], aliases: [] }],
      load: async () => ({
        name: 'buggy',
        group: 'buggy',
        summary: '',
        actions: [
          {
            name: 'FA_buggy',
            summary: '',
            args: {},
            returns: { schema: {}, expected: '', accepts: () => true },
            examples: [],
            run: ({ substitute }) => {
              throw new TypeError(`undefined is not ${String(substitute('${env:API_TOKEN}'))}`);
            },
          },
        ],
      }),
    });
    const { results } = await house.run([['FA_buggy']]);
    expect(results[0]?.error?.type).toBe('InternalException');
    expect(house.lines.join('\n')).toContain('undefined is not ***');
    expect(house.lines.join('\n')).not.toContain(SECRET);
  });
});

describe('arguments', () => {
  const list = [
    ['FA_t_echo', { value: '${env:API_TOKEN}' }],
    ['FA_t_typed', ['${cwd}', 2]],
  ];

  test('stand in plans as they were written', async () => {
    await using house = openHouse({ env });
    const { results } = await house.run({ actions: list, dry_run: true });
    expect(results.map(({ plan }) => plan?.arguments)).toEqual([{ value: '${env:API_TOKEN}' }, { path: '${cwd}', count: 2 }]);
  });

  test('are logged as they were written', async () => {
    await using house = openHouse({ env });
    await house.run({ actions: list, dry_run: true });
    const logged = house.lines.map((line) => JSON.parse(line) as { readonly message: string; readonly arguments?: unknown });
    expect(logged.map(({ message, arguments: args }) => [message, args])).toEqual([
      ['planned FA_t_echo', { value: '${env:API_TOKEN}' }],
      ['planned FA_t_typed', { path: '${cwd}', count: 2 }],
    ]);
  });

  test('named like a secret are hidden in the log', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_login', () => 1);
    await house.run({ actions: [['FA_login', { user: 'me', password: 'pa55word', deep: [{ api_key: 'k3y-value' }] }]], dry_run: true });
    expect(house.lines).toHaveLength(1);
    expect(house.lines[0]).toContain('"user":"me"');
    expect(house.lines[0]).not.toMatch(/pa55word|k3y-value/);
  });
});

test('a text with too many references is refused', async () => {
  await using house = openHouse();
  const { results } = await house.run([
    ['FA_t_echo', { value: '${uuid}'.repeat(1_001) }],
    ['FA_t_echo', { value: '${uuid}'.repeat(1_000) }],
    ['FA_t_echo', { value: 'x'.repeat(1024 * 1024 - 31) }],
    ['FA_t_echo', { value: `${'x'.repeat(1024 * 1024 - 31)}\${uuid}` }],
  ]);
  expect(results.map(({ status, error }) => error?.type ?? status)).toEqual(['SubstitutionException', 'ok', 'ok', 'SubstitutionException']);
});
