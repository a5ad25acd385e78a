import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../test/support/temp-dir.ts';
import { FileAccessException, PolicyException } from '../core/errors.ts';
import { createPolicy } from './policy.ts';

describe('the root that covers a path', () => {
  const policy = createPolicy({ readWrite: ['/r', '/r/ro/w'], readOnly: ['/r/ro', '/s'] });

  test.each([
    ['/r', 'write', '/r'],
    ['/r/a/b', 'remove', '/r'],
    ['/r/ro', 'read', '/r/ro'],
    ['/r/ro/x', 'read', '/r/ro'],
    ['/r/ro/w/x', 'write', '/r/ro/w'],
    ['/s/x', 'read', '/s'],
  ] as const)('of %s for %s is %s', (path, access, root) => expect(policy.rootFor(path, access, path)).toBe(root));

  test.each([
    ['/r/ro', 'write', 'read_only_roots'],
    ['/r/ro/x', 'remove', 'read_only_roots'],
    ['/s', 'write', 'read_only_roots'],
    ['/', 'read', 'roots'],
    ['/r2', 'read', 'roots'],
    ['/rx/ro', 'read', 'roots'],
  ] as const)('of %s for %s is refused by the rule %s', (path, access, rule) => {
    expect(() => policy.rootFor(path, access, path)).toThrow(
      expect.objectContaining({ type: 'PolicyException', context: { rule, path, access } }),
    );
  });

  test('that a link leads away from is refused in those words', () => {
    expect(() => policy.rootFor('/elsewhere/x', 'read', '/r/link/x')).toThrow(/^A link leads from \/r\/link\/x out of the policy's roots/);
    expect(() => policy.rootFor('/elsewhere/x', 'read', '/elsewhere/x')).toThrow(/^The policy has no root that contains \/elsewhere\/x/);
  });

  test('is the read-only one where both are given', () => {
    const both = createPolicy({ readWrite: ['/r'], readOnly: ['/r'] });
    expect(() => both.rootFor('/r/x', 'write', '/r/x')).toThrow(PolicyException);
  });

  test('may be the root of the file system', () => {
    expect(createPolicy({ readOnly: ['/'] }).rootFor('/x', 'read', '/x')).toBe('/');
  });
});

describe('roots', () => {
  test('may be given through links and in any spelling', () => {
    using dir = tempDir();
    mkdirSync(dir.at('real/inner'), { recursive: true });
    symlinkSync('real', dir.at('link'));
    const policy = createPolicy({ readWrite: [`${dir.at('link')}//inner/`], readOnly: [dir.at('link/inner/../inner/ro')] });
    expect(policy.rootFor(dir.at('real/inner/x'), 'write', 'x')).toBe(dir.at('real/inner'));
    expect(policy.rootFor(dir.at('real/inner/ro/x'), 'read', 'x')).toBe(dir.at('real/inner/ro'));
    expect(() => policy.judgeTree(dir.at('real/inner'), 'remove', 'x')).toThrow(PolicyException);
  });

  test('that lead nowhere are refused when the policy is made', () => {
    using dir = tempDir();
    symlinkSync('loop', dir.at('loop'));
    expect(() => createPolicy({ readWrite: [dir.at('loop')] })).toThrow(FileAccessException);
  });
});

describe('a whole tree', () => {
  const policy = createPolicy({ readWrite: ['/r'], readOnly: ['/r/a/ro'] });

  test.each(['/r', '/r/a', '/r/a/ro'])('at %s cannot be changed: it holds a read-only root', (path) => {
    expect(() => policy.judgeTree(path, 'write', path)).toThrow('read-only root /r/a/ro');
    expect(() => policy.judgeTree(path, 'remove', path)).toThrow(PolicyException);
  });

  test.each(['/r/b', '/r/a/rox'])('at %s can', (path) => policy.judgeTree(path, 'remove', path));
});

describe('a path as written', () => {
  const policy = createPolicy({ readWrite: ['/r'], readOnly: ['/s'] });

  test.each([
    ['/r/x', 'write', true],
    ['/s/x', 'read', true],
    ['/s/x', 'write', false],
    ['/t', 'read', false],
    ['/r/../t', 'read', false],
    ['/r//x', 'read', false],
    ['/r\\x', 'read', false],
  ] as const)('%s for %s is known to be covered: %s', (path, access, covered) => expect(policy.covers(path, access)).toBe(covered));
});

describe('other rights', () => {
  test('are refused unless they were given', () => {
    const none = createPolicy({});
    expect(() => none.demandExecutes('ls')).toThrow(PolicyException);
    expect(() => none.demandEnv('HOME')).toThrow(PolicyException);
    expect(() => none.rootFor('/x', 'read', '/x')).toThrow('none is configured');
    const some = createPolicy({ executes: true, env: ['HOME'] });
    some.demandExecutes('ls');
    some.demandEnv('HOME');
  });
});

test('a host pattern stands for names below one, neither for that name nor for nothing in front of it', () => {
  const policy = createPolicy({ hosts: ['*.example.com'] });
  for (const host of ['a.example.com', 'A.B.Example.com']) expect(() => policy.demandHost(host), host).not.toThrow();
  for (const host of ['example.com', '.example.com', 'badexample.com', 'example.com.evil.org'])
    expect(() => policy.demandHost(host), host).toThrow("add it to the policy's `hosts` list");
});
