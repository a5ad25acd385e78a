import { expect, test } from 'vitest';
import { tempDir } from '../../test/support/temp-dir.ts';
import { guardedOf } from './guarded.ts';
import { loadConfig } from './load-config.ts';

const OWN = `
[server]
shared_secret = "\${file:owner}"
[http]
tls_cert = "cert.pem"
tls_key = "key.pem"
[plugins]
paths = ["plugins"]
[secrets]
file_root = "secrets"
[store]
path = "state/store.db"
`;

const guardedBy = async (text: string, flags = {}) => {
  using dir = tempDir({ 'factotum.toml': text });
  const guarded = guardedOf(await loadConfig({ env: {}, cwd: dir.path, flags }), { cwd: dir.path, roots: [dir.at('room')] });
  const shown = (paths: readonly string[] = []) => paths.map((path) => path.replace(`${dir.path}/`, ''));
  return { fixed: shown(guarded.fixed), shut: shown(guarded.shut) };
};

test('what decides rights stays as it is: configuration, also a later one, certificate, code of plugins', async () => {
  const { fixed } = await guardedBy(OWN);
  expect([...new Set(fixed)].sort()).toEqual(['cert.pem', 'factotum.toml', 'key.pem', 'node_modules', 'plugins', 'room/factotum.toml']);
  expect((await guardedBy('[plugins]\ndiscover = false\n')).fixed).not.toContain('node_modules');
});

test('state and secrets are shut: that of this user, a store elsewhere, files that references name', async () => {
  const [users, ...others] = (await guardedBy(OWN)).shut;
  expect(users).toMatch(/factotum/);
  expect(others).toEqual(['state', 'secrets/owner']);
});

test('a configuration is shut where a secret is written in it, not where one comes from elsewhere', async () => {
  const withSecret = '[server]\nshared_secret = "with-enough-letters"\n';
  expect((await guardedBy(withSecret)).shut).toContain('factotum.toml');
  const flags = { server: { shared_secret: 'with-enough-letters' } };
  expect((await guardedBy('', flags)).shut).not.toContain('factotum.toml');
});
