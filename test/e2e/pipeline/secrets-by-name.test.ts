import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';

const RENDERED = 'hunter-two-22';
const MISSPELT = 'misspelt-333-x';
const IN_URL = 'url-secret-4444';
const list = [
  ['FA_render_string', { template: 'it is {{ password }}', context: { password: RENDERED } }],
  ['FA_stat', { path: 't.txt', pasword: MISSPELT }],
  ['FA_stat', ['t.txt', true, MISSPELT]],
  ['FA_validate_http_url', { url: `http://me:${IN_URL}@example.com/x?token=${IN_URL}` }],
];

const open = () => {
  const state = tempDir();
  const house = openHouse({ store: state.at('state/s.db'), files: { 't.txt': 'x' } });
  return {
    house,
    /** Everything that the store has on the disk. */
    stored: () =>
      readdirSync(state.at('state'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('\n'),
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      state[Symbol.dispose]();
    },
  };
};

test.each([false, true])('secrets by name are kept nowhere, dry run %s', async (dry_run) => {
  await using room = open();
  const { house } = room;
  const { run_id, results } = await house.run({ actions: list, dry_run });
  if (!dry_run) expect(results[0]?.value).toBe(`it is ${RENDERED}`); // whoever asked for it gets it
  const { store, services } = await house.factotum.state();
  const kept = JSON.stringify([await store.run(run_id), await services.audit.recent(100, null)]);
  for (const secret of [RENDERED, MISSPELT, IN_URL]) {
    expect(kept).not.toContain(secret);
    expect(room.stored()).not.toContain(secret);
  }
  for (const secret of [MISSPELT, IN_URL]) expect(house.lines.join('\n')).not.toContain(secret);
  expect(kept).toContain('pasword'); // what was wrong can be seen
});

test('a plan shows neither credentials of addresses nor what no action takes', async () => {
  await using room = open();
  const { results } = await room.house.run({ actions: list.slice(1), dry_run: true });
  const shown = JSON.stringify(results);
  for (const secret of [MISSPELT, IN_URL]) expect(shown).not.toContain(secret);
  expect(results[2]?.plan).toMatchObject({ arguments: { url: 'http://***@example.com/x?token=***' } });
});

test('what one caller calls a password stays an ordinary word for others', async () => {
  await using room = open();
  const { house } = room;
  await house.run([['FA_render_string', { template: 'x', context: { password: 'ordinary' } }]]);
  const { run_id } = await house.run([['FA_substitute', { payload: 'an ordinary word' }]]);
  const { store } = await house.factotum.state();
  expect(await store.run(run_id)).toMatchObject({ commands: [{ value: 'an ordinary word' }] });
});

test('a long plan is logged in part', async () => {
  await using room = open();
  await room.house.run({ actions: Array.from({ length: 1_100 }, () => ['FA_substitute', { payload: 1 }]), dry_run: true });
  const lines = room.house.lines.filter((line) => JSON.stringify(line).includes('planned FA_substitute'));
  expect(lines).toHaveLength(1_000);
});
