import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { createInstance } from '../../app/create.ts';
import type { Instance } from '../../app/instance/instance.ts';

const SINK = `[[notify.sinks]]
type = "telegram"
name = "ops"
bot_token = "123:example"
chat_id = "-1001"
`;

let dir: TempDir;
let factotum: Instance;
beforeEach(() => {
  dir = tempDir({ 'factotum.toml': SINK });
  factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
});
afterEach(async () => {
  await factotum.close();
  dir[Symbol.dispose]();
});

const APPLY = ['FA_config_apply', ['factotum.toml']];

test('the sinks of the file that is applied last count, beside those that were registered', async () => {
  const mine = { type: 'telegram', name: 'mine', bot_token: '123:example', chat_id: '-1002' };
  await factotum.run([['FA_notify_register', [mine]], APPLY]);
  writeFileSync(dir.at('factotum.toml'), SINK.replace('ops', 'other'));
  const { results } = await factotum.run([APPLY, ['FA_notify_list']]);
  expect(results).toMatchObject([{ value: 1 }, { value: [{ name: 'mine' }, { name: 'other' }] }]);
});

test('the defaults of the file count from the next list on', async () => {
  writeFileSync(dir.at('factotum.toml'), '[limits]\ncommands = 2\n[defaults]\nvalidate_first = true\nquota = { max_bytes = 3 }\n');
  const { results } = await factotum.run([APPLY]);
  expect(results).toMatchObject([{ value: 0 }]);
  await expect(factotum.run([['FA_stat', ['.']], ['FA_nothing']])).rejects.toMatchObject({ type: 'ValidationException' });
  await expect(factotum.run([['FA_stat'], ['FA_stat'], ['FA_stat']])).rejects.toMatchObject({ type: 'JsonActionException' });
  const over = await factotum.run([['FA_create_file', ['a.txt', 'four']]]);
  expect(over.results).toMatchObject([{ error: { type: 'QuotaExceededException' } }]);
  const own = await factotum.run({ actions: [['FA_create_file', ['a.txt', 'four']]], quota: { max_bytes: 4 } });
  expect(own.ok).toBe(true);
});

test('what the file says of an action stands around it', async () => {
  writeFileSync(dir.at('factotum.toml'), '[defaults.actions.FA_create_file]\nquota = { max_bytes = 3, max_seconds = 0 }\n');
  const { results } = await factotum.run([APPLY, ['FA_create_file', ['a.txt', 'four']], ['FA_create_file', ['b.txt', 'abc']]]);
  expect(results).toMatchObject([{ status: 'ok' }, { error: { type: 'QuotaExceededException' } }, { status: 'ok' }]);
});

test.each([
  ['a file that is not there', undefined, 'ConfigException'],
  ['a file that is broken', '[[notify.sinks]]\ntype = "pigeon"', 'ConfigException'],
  ['a secret that is missing', SINK.replace('123:example', '${env:NOBODY_SET_THIS}'), 'SecretNotFoundException'],
])('%s changes nothing', async (_, text, type) => {
  await factotum.run([APPLY]);
  if (text !== undefined) writeFileSync(dir.at('other.toml'), `[limits]\ncommands = 1\n${text}`);
  const { results } = await factotum.run([['FA_config_apply', ['other.toml']], ['FA_notify_list']]);
  expect(results).toMatchObject([{ error: { type } }, { value: [{ name: 'ops' }] }]);
});

test('a dry run applies nothing', async () => {
  const { results } = await factotum.run({ actions: [APPLY, ['FA_notify_list']], dry_run: true });
  expect(results[0]).toMatchObject({ status: 'planned', plan: { effects: [{ kind: 'read' }] } });
  expect((await factotum.run([['FA_notify_list']])).results).toMatchObject([{ value: [] }]);
});
