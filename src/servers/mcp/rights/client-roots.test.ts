import { symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { narrowRights } from './client-roots.ts';

const uris = (...paths: string[]) => paths.map((path) => ({ uri: pathToFileURL(path).href }));

test('a root inside one of ours takes its place', () => {
  using dir = tempDir({ 'inner/a.txt': '' });
  expect(narrowRights({ roots: [dir.path] }, uris(dir.at('inner'))).roots).toEqual([dir.at('inner')]);
});

test('a root around ours changes nothing', () => {
  using dir = tempDir();
  expect(narrowRights({ roots: [dir.path] }, uris('/')).roots).toEqual([dir.path]);
});

test('read-only roots stay read-only', () => {
  using dir = tempDir({ 'inner/a.txt': '' });
  const rights = narrowRights({ roots: [], readOnlyRoots: [dir.path] }, uris(dir.at('inner')));
  expect(rights).toMatchObject({ roots: [], readOnlyRoots: [dir.at('inner')] });
});

test('roots elsewhere add nothing, also through a link or a name that only looks alike', () => {
  using dir = tempDir({ 'own/a.txt': '', 'own-not/b.txt': '' });
  symlinkSync(dir.at('own-not'), dir.at('own/link'));
  for (const path of [dir.at('own-not'), dir.at('own/link'), `${dir.at('own')}/../own-not`]) {
    expect(() => narrowRights({ roots: [dir.at('own')] }, uris(path))).toThrow('No root of the client');
  }
  expect(narrowRights({ roots: [dir.at('own')] }, uris(dir.at('own-not'), dir.at('own'))).roots).toEqual([dir.at('own')]);
});

test('what is no place on this machine is no root', () => {
  using dir = tempDir();
  const odd = ['https://example.com/', 'file://server/share', 'nonsense', 'file:///%00'].map((uri) => ({ uri }));
  expect(() => narrowRights({ roots: [dir.path] }, odd)).toThrow('No root of the client');
});

test('a client that announces none says nothing', () => {
  using dir = tempDir();
  expect(narrowRights({ roots: [dir.path] }, [])).toEqual({ roots: [dir.path] });
});
