import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** As an argument by its place, which no key gives away; long enough to take pages of its own. */
const SECRET = `pass-${'correct-horse-battery-staple-'.repeat(400)}`;
const GOOD_SALT = '0123456789abcdef';
const listWith = (password: string, salt: string) => [['FA_key_from_password', [password, salt, 1000]]];
const enqueue = (salt: string) => [['FA_queue_enqueue', { action: listWith(SECRET, salt) }]];

const openStoredHouse = (dir: string): TestHouse => openHouse({ store: `${dir}/state/s.db` });

/** Whether the secret lies in any file of the state. */
const isLeftIn = (dir: string): boolean =>
  readdirSync(`${dir}/state`).some((name) => readFileSync(`${dir}/state/${name}`).includes('correct-horse-battery'));

const untilOver = async ({ factotum }: TestHouse): Promise<{ readonly runId: string; readonly state: string }> => {
  const { store } = await factotum.state();
  for (;;) {
    const [run] = (await store.runs({ sources: ['queue'] })).items;
    if (run !== undefined && run.endedAt !== null) return run;
    await new Promise(setImmediate);
  }
};

test('a password that a queued list was given by its place is in no byte of the store after the run', async () => {
  using dir = tempDir();
  {
    await using house = openStoredHouse(dir.path);
    await house.run(enqueue(GOOD_SALT));
    const { runId, state } = await untilOver(house);
    expect(state).toBe('ok');
    const { store } = await house.factotum.state();
    expect((await store.run(runId))?.body).toEqual(listWith('***', GOOD_SALT));
    expect(house.lines.join()).not.toContain('correct-horse');
  }
  expect(isLeftIn(dir.path)).toBe(false);
});

test('a dead letter has it sealed until it is driven again or forgotten, and nobody is shown it, after a restart neither', async () => {
  using dir = tempDir();
  {
    await using house = openStoredHouse(dir.path);
    await house.run(enqueue('short'));
    expect((await untilOver(house)).state).toBe('dead');
  }
  expect(isLeftIn(dir.path)).toBe(false);
  {
    await using house = openStoredHouse(dir.path);
    const { results } = await house.run([['FA_queue_dead_letters']]);
    expect(results[0]).toMatchObject({ status: 'ok', value: [{ action: listWith('***', 'short') }] });
    await house.run([['FA_queue_purge']]);
  }
  expect(isLeftIn(dir.path)).toBe(false);
});
