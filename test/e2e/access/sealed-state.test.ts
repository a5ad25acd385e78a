import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OWNER } from '../../../src/access/caller.ts';
import { createUndo } from '../../../src/services/undo/undo.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { undoParts } from '../undo/recorded-house.ts';

/** The bytes under which a secret could be found. */
const formsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const encoded = (['base64', 'base64url', 'hex'] as const).map((encoding) => bytes.toString(encoding).replace(/=+$/, ''));
  return [secret, ...encoded, bytes.toString('hex').toUpperCase(), encodeURIComponent(secret)];
};

/** The files below a directory that hold a secret in any form. */
const holdersOf = (directory: string, secret: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(directory, name);
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return formsOf(secret).some((form) => bytes.includes(form));
  });

const untilOver = async ({ factotum }: TestHouse, count: number): Promise<void> => {
  const { store } = await factotum.state();
  for (;;) {
    const { items } = await store.runs({ sources: ['queue'] });
    if (items.filter(({ endedAt }) => endedAt !== null).length >= count) return;
    await new Promise(setImmediate);
  }
};

test('a secret in a list is in no byte of the state: jobs, queue, dead letters, schedules, watchers, undo; while they live and afterwards', async () => {
  using dir = tempDir();
  const secret = `s3cr3t>>>?${randomBytes(18).toString('base64url')}`;
  const state = dir.at('state');
  const keyFrom = (salt: string) => ['FA_key_from_password', { password: secret, salt, iterations: 1000 }];
  const list = [keyFrom('0123456789abcdef'), ['FA_key_from_password', [secret, '0123456789abcdef', 1000]]];
  {
    await using house = openHouse({ store: `${state}/s.db`, files: { 'a.txt': 'a', 'd/x.txt': 'x' } });
    const { run_id: done } = await house.run([['FA_create_file', ['made.txt', 'x']], ...list]);
    const { results } = await house.run([
      ['FA_queue_enqueue', { action: list }],
      ['FA_queue_enqueue', { action: [keyFrom('short')] }],
      ['FA_schedule_add', { name: 'job', cron_expression: '0 0 1 1 *', action_list: list }],
      ['FA_watch_start', { name: 'watcher', path: 'd', action_list: list }],
      keyFrom('short'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'failed']);
    await untilOver(house, 2);
    const { store } = await house.factotum.state();
    for (const shelf of [store.schedules, store.watchers]) expect((await shelf.list()).map(({ body }) => body)).toEqual([list]); // it must run as it was written
    expect((await store.queue.dead())[0]?.action).toEqual([keyFrom('short')]);
    const undo = createUndo({ store, ...undoParts });
    expect(await (await undo.undo(done, OWNER)).finished).toMatchObject({ ok: true });
    await undo.close();
    expect(holdersOf(state, secret)).toEqual([]);
    await house.run([['FA_schedule_remove', { name: 'job' }], ['FA_watch_stop', { name: 'watcher' }], ['FA_queue_purge']]);
    expect(holdersOf(state, secret)).toEqual([]);
    expect(house.lines.filter((line) => formsOf(secret).some((form) => line.includes(form)))).toEqual([]);
  }
  expect(holdersOf(state, secret)).toEqual([]);
});
