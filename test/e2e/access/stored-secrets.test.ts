import { expect, test } from 'vitest';
import { openRunsDoor } from '../../support/runs-door.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { factotum } from '../cli/built.ts';

const SECRET = 'hunter2-hunter2';
const LIST = [['FA_encrypt_file', { source: 'a.txt', target: 'b.bin', password: SECRET }]];

test('a list that was stored to run later is shown without its secrets', async () => {
  await using door = await openRunsDoor();
  const taken = await fetch(`${door.url}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(LIST),
  });
  const { run_id } = (await taken.json()) as { run_id: string };
  const shown = await Promise.all([`/runs/${run_id}`, '/runs'].map(async (path) => (await fetch(`${door.url}${path}`)).text()));
  expect(shown[0]).toContain('FA_encrypt_file');
  expect(shown.join()).not.toContain(SECRET);
});

test('the command line shows it without them too', () => {
  using dir = tempDir();
  const env = { XDG_STATE_HOME: dir.path };
  const ask = (...words: string[]) => factotum(words, { cwd: dir.path, env }).out;
  ask('exec', 'FA_queue_enqueue', '--action', JSON.stringify(LIST));
  const [run = ''] = /[0-9a-f-]{36}/.exec(ask('queue') + ask('runs')) ?? [];
  const shown = ask('runs', 'show', run, '--json') + ask('runs', 'show', run);
  expect(shown).toContain('FA_encrypt_file');
  expect(shown).not.toContain(SECRET);
});
