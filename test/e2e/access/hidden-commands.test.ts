import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/result.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { type Served, startServed } from '../service/served.ts';
import { COMPUTED, HIDDEN, MISSPELT, WRITTEN } from './hidden-commands.ts';

const SECRET = 'limited-with-enough-letters';
const OWNER_SECRET = 'owner-with-enough-letters';
const CONFIG = `
[server]
shared_secret = "${OWNER_SECRET}"
[plugins]
paths = ["plugin"]
[[tokens]]
name = "limited"
secret = "${SECRET}"
deny = ["probe_deny", "FA_grep"]
roots = ["."]
executes = true
env = ["CALLED"]
`;
const PLUGIN = `
import { appendFileSync } from 'node:fs';
const leave = (name) => () => appendFileSync(process.env.MARKS, name + '\\n');
export const actions = () => ({ probe_touch: leave('touch'), probe_deny: leave('deny') });
`;

let dir: TempDir;
let served: Served;
beforeAll(async () => {
  dir = tempDir({
    'factotum.toml': CONFIG,
    'list.json': JSON.stringify(HIDDEN),
    'plugin/package.json': '{"name": "probe", "version": "1.0.0", "type": "module", "factotum": {"actions": "./actions.js"}}',
    'plugin/actions.js': PLUGIN,
  });
  served = startServed({ cwd: dir.path, env: { MARKS: dir.at('marks'), CALLED: 'probe_deny' } });
  await served.url;
}, 180_000);
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  dir[Symbol.dispose]();
});
beforeEach(() => dir.write('marks', ''));

const post = async (path: string, list: unknown, { secret = SECRET, key = '' } = {}) => {
  const answer = await fetch(`${await served.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}`, ...(key !== '' && { 'Idempotency-Key': key }) },
    body: JSON.stringify(list),
  });
  return { status: answer.status, body: (await answer.json()) as RunResult & { readonly error?: { readonly type: string } } };
};

describe('a command that a token may not run, hidden in', () => {
  test.each(Object.entries(WRITTEN))('%s, refuses the whole, and nothing runs', async (name, request) => {
    for (const [path, key] of [['/actions'], ['/runs'], ['/actions', `key of ${name}`.replaceAll(' ', '-')]] as const) {
      const { status, body } = await post(path, request, { key });
      expect([status, body.error?.type]).toEqual([403, 'ActionNotPermittedException']);
    }
    expect(dir.read('marks')).toBe('');
  });

  test.each(Object.entries(COMPUTED))('%s, fails what would run it, and nothing runs', async (_, list) => {
    const { status, body } = await post('/actions', list);
    expect(status).toBe(200);
    expect(body.results.at(-1)).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(body.results.at(-1))).toContain('ActionNotPermittedException');
    expect(dir.read('marks')).toBe('');
  });
});

test.each(MISSPELT)('%j is no name of a command, and does not become one', async (name) => {
  const { status, body } = await post('/actions', [[name]]);
  expect(status === 403 || body.results[0]?.error?.type === 'UnknownActionException').toBe(true);
  expect(dir.read('marks')).toBe('');
});

test('what the token may run does run, and the owner may run all', async () => {
  expect((await post('/actions', [['probe_touch']])).body.ok).toBe(true);
  expect((await post('/actions', HIDDEN, { secret: OWNER_SECRET })).body.ok).toBe(true);
  expect(dir.read('marks')).toBe('touch\ntouch\ndeny\n');
});

test('nothing was stored either', async () => {
  const stored = [['FA_queue_size'], ['FA_schedule_list'], ['FA_watch_list']];
  const { results } = (await post('/actions', stored, { secret: OWNER_SECRET })).body;
  expect(results.map(({ value }) => value)).toEqual([0, [], []]);
});
