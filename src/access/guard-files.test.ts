import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/support/temp-dir.ts';
import { keptAsideName } from '../lib/fs/own-names.ts';
import { guardFiles } from './guard-files.ts';
import { createPolicy } from './policy.ts';

const openRoom = () => {
  const dir = tempDir({ 'room/a.txt': '', 'room/state/store.db': '', 'room/plugins/p.js': '', 'elsewhere/secret': '' });
  symlinkSync(dir.at('room/state'), dir.at('room/link'));
  const policy = guardFiles(createPolicy({ readWrite: [dir.at('room')] }), {
    shut: [dir.at('room/link'), dir.at('elsewhere/secret')],
    fixed: [dir.at('room/plugins')],
  });
  return { dir, policy, [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

test('what is shut is neither read nor changed, by its own name or where a link leads', () => {
  using room = openRoom();
  const { dir, policy } = room;
  for (const path of ['room/state', 'room/state/store.db', 'room/link', `room/x/${keptAsideName()}/1/0`].map(dir.at)) {
    for (const access of ['read', 'write', 'remove'] as const) {
      expect(() => policy.rootFor(path, access, path)).toThrow("the service's own");
      expect(policy.covers(path, access)).toBe(false);
    }
  }
  expect(policy.covers(dir.at('room/state-of-affairs'), 'write')).toBe(true);
});

test('what is fixed may be read, and nothing in it changed', () => {
  using room = openRoom();
  const { dir, policy } = room;
  expect(policy.rootFor(dir.at('room/plugins/p.js'), 'read', 'p')).toBe(dir.at('room'));
  expect(() => policy.rootFor(dir.at('room/plugins/new.js'), 'write', 'p')).toThrow('decides what callers may do or what code is run');
  expect(() => policy.judgeTree(dir.at('room'), 'write', 'room')).toThrow();
});

test.each(['room/factotum.toml', 'room/deep/below/factotum.toml', 'room/FACTOTUM.toml'])('nobody makes a configuration: %s', (name) => {
  using room = openRoom();
  const { dir, policy } = room;
  for (const access of ['write', 'remove'] as const) {
    expect(() => policy.rootFor(dir.at(name), access, name)).toThrow('only the owner may change');
    expect(policy.covers(dir.at(name), access)).toBe(false);
  }
  expect(policy.rootFor(dir.at(name), 'read', name)).toBe(dir.at('room'));
  expect(policy.covers(dir.at(`${name}.md`), 'write')).toBe(true);
});

test('a tree that holds something shut is not changed as a whole, and for whoever reads it that is not there', () => {
  using room = openRoom();
  const { dir, policy } = room;
  expect(() => policy.judgeTree(dir.at('room'), 'remove', 'room')).toThrow('choose directories beside that');
  expect(() => policy.judgeTree(dir.at('room/data'), 'remove', 'data')).not.toThrow();
  expect(policy.shutBelow(dir.at('room'))).toEqual({ paths: ['link', 'state'] });
  expect(policy.shutBelow(dir.at('room/plugins')).paths).toEqual([]);
});

test('what is guarded outside the roots looks like anything else there', () => {
  using room = openRoom();
  const { dir, policy } = room;
  const refusal = (name: string) => {
    try {
      return policy.rootFor(dir.at(name), 'read', 'it');
    } catch (fault) {
      return String(fault);
    }
  };
  expect(refusal('elsewhere/secret')).toBe(refusal('elsewhere/nothing'));
});
