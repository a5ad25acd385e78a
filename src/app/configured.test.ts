import { expect, test } from 'vitest';
import { type Config, type DeepPartial, loadConfig } from './config/load-config.ts';
import { serviceOptionsOf } from './configured.ts';

const SECRET = 'with-enough-letters';
const optionsFor = async (flags: DeepPartial<Config>) => serviceOptionsOf(await loadConfig({ env: {}, cwd: '/nowhere', flags }));

test('what [policy] says of actions holds for the owner too where it says so', async () => {
  const policy = { deny: ['FA_run_shell'], effects: ['reads'] as ('reads' | 'writes')[] };
  expect((await optionsFor({ policy })).acl).toBeUndefined();
  const { acl, ownerPolicy } = await optionsFor({ policy: { ...policy, owner: true } });
  const about = { name: 'FA_stat', aliases: [], family: 'files', group: 'files', steps: [] };
  expect(acl?.permits('FA_stat', { ...about, effects: ['reads'] })).toBe(true);
  expect(acl?.permits('FA_copy_file', { ...about, name: 'FA_copy_file', effects: ['reads', 'writes'] })).toBe(false);
  expect(ownerPolicy).toMatchObject({ readWrite: [] });
});

test('a metrics door of its own has its own names', async () => {
  const { metrics } = await optionsFor({ metrics: { own_port: true, hosts: ['metrics.example'] } });
  expect(metrics).toMatchObject({ port: 9945, hosts: ['metrics.example'] });
});

test('nobody with limits may write a configuration that counts at the next start', async () => {
  expect((await optionsFor({})).guarded?.fixed).toContainEqual(expect.stringMatching(/factotum\.toml$/));
});

test.each([
  [{ server: { shared_secret: SECRET }, tokens: [{ name: 'a', secret: SECRET }] }, 'tokens.a.secret is also that of the owner'],
  [{ tcp: { shared_secret: SECRET }, tokens: [{ name: 'a', secret: SECRET }] }, 'tokens.a.secret is also that of the owner'],
  [
    {
      tokens: [
        { name: 'a', secret: SECRET },
        { name: 'b', secret: SECRET },
      ],
    },
    'tokens.b.secret is also that of a',
  ],
])('a secret stands for one caller', async (flags, words) => {
  await expect(optionsFor(flags)).rejects.toMatchObject({ type: 'ConfigException', message: expect.stringContaining(words) });
});
