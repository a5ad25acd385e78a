import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { loadConfig } from '../config/load-config.ts';
import { createInstance } from '../create.ts';
import { callersOf } from './callers.ts';
import { guardedOf } from './guarded.ts';

const OWN = `
[server]
shared_secret = "\${file:owner}"
[http]
tls_cert = "cert.pem"
tls_key = "key.pem"
[plugins]
paths = ["plugins"]
[connections.files]
type = "sftp"
host = "files.example.com"
username = "u"
key_filename = "id_ed25519"
known_hosts = "known_hosts"
[[notify.sinks]]
type = "webhook"
name = "hook"
url = "\${env:HOOK}"
ca_file = "ca.pem"
[secrets]
file_root = "secrets"
[store]
path = "state/store.db"
`;

/** What is guarded in a directory with these files; what lies elsewhere is left out. */
const guardedIn = async (dir: TempDir, options = {}) => {
  const guarded = guardedOf(await loadConfig({ env: {}, cwd: dir.path, ...options }), { cwd: dir.path, roots: [dir.at('room')] });
  const shown = (paths: readonly string[] = []) =>
    [...new Set(paths)].filter((path) => path.startsWith(`${dir.path}/`)).map((path) => path.slice(dir.path.length + 1));
  return { fixed: shown(guarded.fixed).sort(), shut: shown(guarded.shut), all: guarded };
};

const guardedBy = async (text: string, options = {}) => {
  using dir = tempDir({ 'factotum.toml': text });
  return guardedIn(dir, options);
};

test('what decides rights or code stays as it is: configuration, certificates, plugins and what names them', async () => {
  const { fixed } = await guardedBy(OWN);
  expect(fixed).toEqual([
    'ca.pem',
    'cert.pem',
    'factotum.toml',
    'known_hosts',
    'node_modules',
    'package.json',
    'plugins',
    'room/factotum.toml',
  ]);
  expect((await guardedBy('[plugins]\ndiscover = false\n')).fixed).toEqual(['factotum.toml', 'room/factotum.toml']);
});

test('so does the code of the house, and what a package is found in above the working directory', async () => {
  using dir = tempDir({ 'project/a.txt': '' });
  const { fixed = [] } = guardedOf(await loadConfig({ env: {}, cwd: dir.at('project') }), { cwd: dir.at('project') });
  expect(fixed).toEqual(expect.arrayContaining([import.meta.dirname, dir.at('node_modules'), '/node_modules']));
});

test('state and secrets are shut: that of this user, a store elsewhere, files that references, keys and flags name', async () => {
  const { all, shut } = await guardedBy(OWN, { secretFiles: ['of-owner'] });
  expect(all.shut?.[0]).toMatch(/factotum/);
  expect(shut).toEqual(['state', 'of-owner', 'secrets/owner', 'key.pem', 'id_ed25519']);
});

test('a configuration is shut where a secret is written in it, not where one comes from elsewhere', async () => {
  const withSecret = '[server]\nshared_secret = "with-enough-letters"\n';
  expect((await guardedBy(withSecret)).shut).toContain('factotum.toml');
  const flags = { server: { shared_secret: 'with-enough-letters' } };
  expect((await guardedBy('', { flags })).shut).not.toContain('factotum.toml');
});

test('a plugin that is linked from elsewhere is guarded there, a package that could become one by its package.json', async () => {
  using dir = tempDir({
    'package.json': '{"dependencies":{"tool":"*","plain":"*","@own/gone":"*"}}',
    'node_modules/@own/empty': '',
    'plugins/@own/empty': '',
    'packages/tool/package.json': '{"factotum":{"actions":"./a.js"}}',
    'packages/plain/package.json': '{}',
    'packages/other/package.json': '{}',
    'packages/more/package.json': '{"factotum":{"actions":"./a.js"}}',
    'factotum.toml': '[plugins]\npaths = ["plugins"]\n',
  });
  const link = (from: string, to: string) => symlinkSync(dir.at(to), dir.at(from));
  link('node_modules/tool', 'packages/tool');
  link('node_modules/plain', 'packages/plain');
  link('node_modules/@own/gone', 'packages/gone');
  link('node_modules/other', 'packages/other'); // nobody names it
  link('plugins/@own/more', 'packages/more');
  expect((await guardedIn(dir)).fixed.filter((path) => path.startsWith('packages'))).toEqual([
    'packages/gone/package.json',
    'packages/more',
    'packages/plain/package.json',
    'packages/tool',
  ]);
});

test('a caller with limits cannot bring code into the next start', async () => {
  using dir = tempDir({ 'room/a.txt': '{}', 'room/package.json': '{}', 'room/node_modules/.keep': '' });
  const loaded = await loadConfig({ env: {}, cwd: dir.at('room') });
  const guarded = guardedOf(loaded, { cwd: dir.at('room') });
  const [caller] = callersOf({ tokens: [{ name: 't', secret: 'tok-0123456789abcdef', readWrite: [dir.path] }], guarded });
  await using factotum = createInstance({ cwd: dir.at('room') });
  const targets = ['package.json', 'node_modules/x.js', '../node_modules/x.js', 'factotum.toml', 'deep/factotum.toml'];
  const { results } = await factotum.gateway.run(
    targets.map((target) => ['FA_copy_file', ['a.txt', target]]),
    { caller: caller ?? expect.fail() },
  );
  expect(results.map(({ error }) => error?.type)).toEqual(targets.map(() => 'PolicyException'));
});
