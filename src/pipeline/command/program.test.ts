import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { type Caller, OWNER } from '../../access/caller.ts';
import { createPolicy } from '../../access/policy.ts';

const ENV = '/usr/bin/env';
const REMOTE: Caller = { ...OWNER, name: 'network', remote: true };

/** What a program sees: one `NAME=value` a line, sorted. */
const environmentOf = async (
  inherited: Readonly<Record<string, string>>,
  { caller = OWNER, env }: { caller?: Caller; env?: object } = {},
) => {
  await using house = openHouse({ env: inherited });
  const { results } = await house.factotum.run([['FA_run_shell', { argv: [ENV], ...(env !== undefined && { env }) }]], { caller });
  const value = results[0]?.value as { readonly stdout: string } | undefined; // the shape that the definition gives
  return value?.stdout.trim().split('\n').sort();
};

const variables = {
  PATH: '/bin',
  HOME: '/root',
  LANG: 'C',
  TZ: 'UTC',
  EDITOR: 'vi',
  FACTOTUM_SHARED_SECRET: 'very-secret',
  factotum_token: 'secret-too',
};

describe('the environment of a program', () => {
  test("is the owner's, without what belongs to the service", async () => {
    expect(await environmentOf(variables)).toEqual(['EDITOR=vi', 'HOME=/root', 'LANG=C', 'PATH=/bin', 'TZ=UTC']);
  });

  test('is the bare minimum for a network caller', async () => {
    expect(await environmentOf(variables, { caller: REMOTE })).toEqual(['HOME=/root', 'LANG=C', 'PATH=/bin', 'TZ=UTC']);
  });

  test.each([OWNER, REMOTE])('is exactly the one given by $name', async (caller) => {
    expect(await environmentOf(variables, { caller, env: { A: '1', B: '' } })).toEqual(['A=1', 'B=']);
  });

  test.each([
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'ld_preload',
    'LD_',
    'DYLD_INSERT_LIBRARIES',
    'PYTHONPATH',
    'PYTHON',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'NODE_PATH',
  ])('may not set %s', async (name) => {
    await using house = openHouse();
    const { results } = await house.run([['FA_run_shell', { argv: [ENV], env: { [name]: 'x' } }]]);
    expect(results[0]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'env', name } });
  });

  test.each(['', 'NODE_OPTIONS=--require=/x', 'A=', 'A\0'])('may not hold the name %j, which would set another one', async (name) => {
    await using house = openHouse();
    const { results } = await house.run([['FA_run_shell', { argv: [ENV], env: { [name]: 'x' } }]]);
    expect(results[0]?.error).toMatchObject({ type: 'ArgumentException', context: { name } });
  });

  test('has nothing that loads code, for a caller with limits at this machine', async () => {
    const caller = { name: 'limited', remote: false, policy: createPolicy({ executes: true }) };
    const loaders = { BASH_ENV: 'x', PERL5OPT: 'x', NODE_OPTIONS: '', GIT_SSH_COMMAND: 'x', NODE_ENV: 'test', HOME: '/root' };
    expect(await environmentOf(loaders, { caller })).toEqual(['HOME=/root', 'NODE_ENV=test']);
  });

  test.each(['NODE_ENV', 'XLD_A', 'GITHUB'])('may set %s', async (name) => {
    expect(await environmentOf({}, { env: { [name]: 'x' } })).toEqual([`${name}=x`]);
  });
});

describe('a caller with a policy', () => {
  const limited = (executes: boolean, root: string): Caller => ({
    name: 'limited',
    remote: true,
    policy: createPolicy({ readWrite: [root], executes }),
  });

  test('runs no program unless that is granted', async () => {
    await using house = openHouse();
    const request = [['FA_run_shell', [['touch', 'made']]]];
    const { results } = await house.factotum.run(request, { caller: limited(false, house.dir.path) });
    expect(results[0]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'executes' } });
    expect(house.dir.read('made')).toBeUndefined();
    const granted = await house.factotum.run(request, { caller: limited(true, house.dir.path) });
    expect(granted.ok).toBe(true);
  });

  test('may not choose a working directory outside its roots', async () => {
    await using house = openHouse();
    const { results } = await house.factotum.run([['FA_run_shell', { argv: ['pwd'], cwd: '/' }]], {
      caller: limited(true, house.dir.path),
    });
    expect(results[0]?.error).toMatchObject({ type: 'PolicyException', context: { rule: 'roots' } });
  });
});

test('what a program says reaches the owner as it is when it succeeds', async () => {
  await using house = openHouse({ env: { PATH: process.env.PATH ?? '', API_TOKEN: 'tok-0123456789abcdef' } });
  const { results } = await house.run([['FA_run_shell', [['sh', '-c', 'echo $API_TOKEN; echo $API_TOKEN >&2']]]]);
  expect(results[0]?.value).toMatchObject({ stdout: 'tok-0123456789abcdef\n', stderr: 'tok-0123456789abcdef\n' });
});
