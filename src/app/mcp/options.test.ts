import { expect, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { grantsOf, mcpOptionsOf } from './options.ts';

const CWD = '/srv/here';
const load = (flags: Parameters<typeof loadConfig>[0]['flags'] = {}) => loadConfig({ env: { HOME: '/nowhere' }, cwd: CWD, flags });

test('without a configuration the working directory is the root and nothing is granted', async () => {
  const options = mcpOptionsOf(await load(), { cwd: CWD });
  expect(options).toMatchObject({ roots: [CWD], readOnly: false, toolsets: [] });
  expect(options.guarded?.fixed).toContain(`${CWD}/factotum.toml`);
  expect(grantsOf(options)).toEqual([]);
});

test('what [mcp] does not say is taken from [policy], but for programs and the network', async () => {
  const policy = { roots: ['/data'], deny: ['FA_x'], env: ['LANG'], executes: true, network: true };
  const options = mcpOptionsOf(await load({ policy, mcp: { deny: ['FA_y'] } }), { cwd: CWD });
  expect(options).toMatchObject({ roots: ['/data'], deny: ['FA_y'], env: ['LANG'] });
  expect(grantsOf(options)).toEqual([]);
});

test('with read-only roots alone nothing can be changed', async () => {
  const options = mcpOptionsOf(await load({ mcp: { read_only_roots: ['/data'] } }), { cwd: CWD });
  expect(options).toMatchObject({ roots: [], readOnlyRoots: ['/data'] });
});

test('a root on the command line stands for itself', async () => {
  const options = mcpOptionsOf(await load({ mcp: { roots: ['/data'], read_only_roots: ['/more'] } }), {
    cwd: CWD,
    flags: { root: ['sub'] },
  });
  expect(options.roots).toEqual([`${CWD}/sub`]);
  expect(options.readOnlyRoots).toBeUndefined();
  expect(options.guarded?.fixed).toContain(`${CWD}/sub/factotum.toml`);
});

test('tools chosen on the command line do not mix with those of the configuration', async () => {
  const loaded = await load({ mcp: { all: true } });
  expect(mcpOptionsOf(loaded, { cwd: CWD })).toMatchObject({ all: true });
  expect(mcpOptionsOf(loaded, { cwd: CWD, flags: { compact: true } })).toMatchObject({ all: undefined, compact: true });
  expect(mcpOptionsOf(loaded, { cwd: CWD, flags: { readOnly: true } })).toMatchObject({ all: true, readOnly: true });
});

test('grants are told in words', async () => {
  const grants = { executes: true, hosts: ['example.com'] };
  expect(grantsOf(mcpOptionsOf(await load({ mcp: grants }), { cwd: CWD }))).toEqual(['run programs', 'reach other machines']);
  expect(grantsOf(mcpOptionsOf(await load({ mcp: { ...grants, read_only: true } }), { cwd: CWD }))).toEqual([]);
});

test('the whole file system is a root only where somebody says so', async () => {
  const optionsAt = async (cwd: string, flags = {}) => mcpOptionsOf(await loadConfig({ env: {}, cwd, flags }), { cwd });
  expect((await optionsAt('/')).roots).toEqual([]);
  expect((await optionsAt('/', { mcp: { roots: ['/'] } })).roots).toEqual(['/']);
});
