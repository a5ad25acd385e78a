import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DISGUISES, WRITE } from '../../../../test/support/disguises.ts';
import { errorOf, openMcpHouse } from '../../../../test/support/mcp-house.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { ActionACL } from '../../../access/acl.ts';
import type { Caller } from '../../../access/caller.ts';
import { createPolicy } from '../../../access/policy.ts';
import { narrowCaller } from './narrow-caller.ts';
import { callerWith } from './rights.ts';

describe('a read-only server', () => {
  test.each(DISGUISES)('writes nothing: $name', async ({ list }) => {
    await using mcp = await openMcpHouse({ readOnly: true, files: { 'list.json': JSON.stringify([WRITE]) } });
    const answer = await mcp.call('factotum_run', list);
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toMatch(/ActionNotPermittedException/);
    expect(mcp.house.dir.read('made.txt')).toBeUndefined();
  });

  test('runs nothing of a list that holds one refused command', async () => {
    await using mcp = await openMcpHouse({ readOnly: true });
    await mcp.call('factotum_run', { actions: [['FA_t_touch'], WRITE] });
    expect(mcp.house.touched).toBe(0);
  });

  test('reads', async () => {
    await using mcp = await openMcpHouse({ readOnly: true, files: { 'a.txt': 'hi' } });
    expect((await mcp.call('FA_read_file', { file_path: 'a.txt' })).structuredContent).toEqual({ value: 'hi' });
  });

  test('grants neither programs nor the network, whatever else is said', async () => {
    await using mcp = await openMcpHouse({ readOnly: true, executes: true, network: true });
    const answer = await mcp.call('factotum_run', { actions: [['FA_run_shell', { argv: ['true'] }]] });
    expect(errorOf(answer).type).toBe('ActionNotPermittedException');
  });
});

describe('an MCP caller', () => {
  test('runs no program until that is granted, and then with a bare environment', async () => {
    const list = { actions: [['FA_run_shell', { argv: ['env'] }]] };
    await using without = await openMcpHouse();
    expect(errorOf(await without.call('factotum_run', list)).type).toBe('ActionNotPermittedException');
    await using granted = await openMcpHouse({ executes: true });
    const answer = await granted.call('factotum_run', list);
    expect(answer.structuredContent).toMatchObject({ ok: true });
    expect(answer.content[0]?.text).not.toContain('VITEST');
  });

  test('runs no function of the program until programs are granted', async () => {
    await using mcp = await openMcpHouse({ toolsets: ['registered'] });
    let called = 0;
    mcp.house.factotum.registry.register('FA_own', () => {
      called += 1;
    });
    expect((await mcp.request('tools/call', { name: 'FA_own', arguments: {} })).error?.code).toBe(-32602);
    expect(errorOf(await mcp.call('factotum_run', { actions: [['FA_own']] })).type).toBe('ActionNotPermittedException');
    expect(called).toBe(0);
  });

  test('reaches nothing outside its root', async () => {
    using outside = tempDir({ 'secret.txt': 'secret' });
    await using mcp = await openMcpHouse({ files: { 'a.txt': 'hi' } });
    symlinkSync(outside.path, mcp.house.dir.at('link'));
    for (const file_path of [outside.at('secret.txt'), '../secret.txt', 'link/secret.txt', '/etc/passwd']) {
      expect(errorOf(await mcp.call('FA_read_file', { file_path })).type, file_path).toBe('PolicyException');
    }
    const copy = await mcp.call('FA_copy_file', { file_path: 'a.txt', target_path: outside.at('b.txt') });
    expect(errorOf(copy).type).toBe('PolicyException');
    expect(outside.read('b.txt')).toBeUndefined();
  });

  test('changes nothing below a read-only root', async () => {
    using other = tempDir({ 'a.txt': 'hi' });
    await using mcp = await openMcpHouse({ readOnlyRoots: [other.path] });
    expect((await mcp.call('FA_read_file', { file_path: other.at('a.txt') })).structuredContent).toEqual({ value: 'hi' });
    expect(errorOf(await mcp.call('FA_create_file', { file_path: other.at('b.txt') })).type).toBe('PolicyException');
  });

  test('cannot change what grants its rights, by any way', async () => {
    await using mcp = await openMcpHouse({ files: { 'conf/own.toml': 'old', 'a.txt': 'new' } });
    const { dir } = mcp.house;
    symlinkSync('conf/own.toml', dir.at('link.toml'));
    const guarded = { fixed: ['conf/own.toml', 'link.toml', 'later.toml'].map((name) => dir.at(name)) };
    const { policy } = callerWith({ roots: [dir.path], guarded });
    const caller = { ...callerWith({ roots: [dir.path] }), ...(policy && { policy }) };
    for (const list of [
      [['FA_create_file', { file_path: 'conf/own.toml', content: 'new' }]],
      [['FA_create_file', { file_path: 'link.toml', content: 'new' }]],
      [['FA_create_file', { file_path: 'later.toml', content: 'new' }]],
      [['FA_copy_file', { file_path: 'a.txt', target_path: 'conf/own.toml' }]],
      [['FA_move_file', { file_path: 'a.txt', target_path: 'link.toml', on_conflict: 'overwrite' }]],
      [['FA_remove_file', { file_path: 'link.toml' }]],
      [['FA_remove_dir_tree', { dir_path: 'conf' }]],
      [['FA_rename_dir', { origin_dir_path: 'conf', target_dir: 'other' }]],
    ]) {
      const { results } = await mcp.house.factotum.run(list, { caller });
      expect(results[0]?.error?.type, JSON.stringify(list)).toBe('PolicyException');
    }
    expect([dir.read('conf/own.toml'), dir.read('link.toml'), dir.read('later.toml')]).toEqual(['old', 'old', undefined]);
    const { results } = await mcp.house.factotum.run([['FA_read_file', ['conf/own.toml']]], { caller });
    expect(results[0]?.value).toBe('old');
  });

  test('may be held to effects', async () => {
    await using mcp = await openMcpHouse({ effects: ['reads'], files: { 'a.txt': 'hi' } });
    expect(errorOf(await mcp.call('factotum_run', { actions: [WRITE] })).type).toBe('ActionNotPermittedException');
    expect((await mcp.call('FA_read_file', { file_path: 'a.txt' })).isError).toBeUndefined();
  });

  test('reads no variable that is not listed', async () => {
    await using mcp = await openMcpHouse({ env: ['LANG'] });
    const read = (name: string) => mcp.call('factotum_run', { actions: [['FA_t_echo', { value: `\${env:${name}:-none}` }]] });
    expect((await read('PATH')).content[0]?.text).toContain('PolicyException');
    expect((await read('LANG')).isError).toBeUndefined();
  });

  test('can be held to patterns', async () => {
    await using mcp = await openMcpHouse({ allow: ['FA_t_*'], deny: ['FA_t_deny'], all: true });
    expect(
      (await mcp.listTools())
        .map(({ name }) => name)
        .filter((name) => name.startsWith('FA_'))
        .every((name) => name.startsWith('FA_t_')),
    ).toBe(true);
    expect(errorOf(await mcp.call('factotum_run', { actions: [['FA_t_deny']] })).type).toBe('ActionNotPermittedException');
    expect(errorOf(await mcp.call('factotum_run', { actions: [['FA_list_dir']] })).type).toBe('ActionNotPermittedException');
  });

  test('waits its turn when the service is full', async () => {
    await using mcp = await openMcpHouse();
    void mcp.parts.turnstile.drain();
    const answer = await mcp.call('FA_list_dir');
    expect(errorOf(answer)).toMatchObject({ type: 'MCPServerException', retryable: true, context: { reason: 'draining' } });
  });
});

describe('two callers in one', () => {
  const about = { name: 'FA_x', aliases: [], family: 'x', group: 'x', effects: ['reads'], steps: [] } as const;

  test('may run what both may', () => {
    const one: Caller = { name: 'token', remote: true, acl: new ActionACL({ allow: ['FA_x', 'FA_y'] }) };
    const { acl, name } = narrowCaller(one, { name: 'mcp', remote: false, acl: new ActionACL({ deny: ['FA_y'] }) });
    expect(name).toBe('token');
    expect(['FA_x', 'FA_y', 'FA_z'].map((each) => acl?.permits(each, { ...about, name: each }))).toEqual([true, false, false]);
    expect(() => acl?.demand('FA_y', { ...about, name: 'FA_y' })).toThrow('may not run FA_y');
  });

  test('reach what both reach', () => {
    using dir = tempDir({ 'in/a.txt': '' });
    const own = callerWith({ roots: [dir.path], executes: true, network: true, env: ['LANG'] });
    const { policy } = narrowCaller({ name: 'token', remote: true, policy: createPolicy({ readOnly: [dir.at('in')] }) }, own);
    expect(policy?.rootFor(dir.at('in/a.txt'), 'read', 'a')).toBe(dir.at('in'));
    expect(() => policy?.rootFor(dir.at('b.txt'), 'read', 'b')).toThrow('no root');
    expect(() => policy?.rootFor(dir.at('in/a.txt'), 'write', 'a')).toThrow('read-only');
    expect(policy?.covers(dir.at('in/a.txt'), 'read')).toBe(true);
    expect(policy?.covers(dir.at('in/a.txt'), 'write')).toBe(false);
    expect(() => policy?.judgeTree(dir.path, 'remove', 'd')).toThrow('read-only root');
    expect(() => policy?.demandExecutes('ls')).toThrow('run programs');
    expect(() => policy?.demandHost('example.com')).toThrow('other machines');
    expect(() => policy?.demandEnv('LANG')).toThrow('LANG');
  });
});
