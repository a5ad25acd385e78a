import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { changesAround, changesByTests, lookAround } from '../../scripts/surroundings.mjs';
import { tempDir } from '../support/temp-dir.ts';

const placeWith = (files: Readonly<Record<string, string>>) => {
  const dir = tempDir({ 'top/bin/sh': '', 'shm/other': '', 'home/.profile': 'a', 'home/.cache/x/y': 'b', 'home/clone/a': '', ...files });
  const look = () => lookAround({ top: dir.at('top'), home: dir.at('home'), memory: dir.at('shm'), leftOut: [dir.at('home/clone')] });
  return { dir, look, [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

test('whatever tests make, change or remove around them is told by name', () => {
  using place = placeWith({ 'home/gone': '' });
  const { dir, look } = place;
  const before = look();
  expect(changesAround(before, look())).toEqual([]);
  mkdirSync(dir.at('top/a'));
  writeFileSync(dir.at('shm/factotum-test-1'), '');
  writeFileSync(dir.at('home/.profile'), 'longer');
  writeFileSync(dir.at('home/.cache/x/new'), '');
  mkdirSync(dir.at('home/.local/share'), { recursive: true });
  rmSync(dir.at('home/gone'));
  expect(changesAround(before, look()).map(({ path, how }) => `${path.slice(dir.path.length + 1)} ${how}`)).toEqual([
    'top/a appeared',
    'shm/factotum-test-1 appeared',
    'home/.profile changed',
    'home/gone went',
    'home/.local appeared',
    'home/.cache/x/new appeared',
  ]);
});

test('the clone and the shared memory of other programs are left out', () => {
  using place = placeWith({});
  const before = place.look();
  place.dir.write('home/clone/b', '');
  place.dir.write('shm/.org.chromium.1', '');
  expect(changesAround(before, place.look())).toEqual([]);
});

test('where somebody else was at work before the tests, they are not blamed', () => {
  using place = placeWith({ 'home/.other/log/1': '', 'home/.other/kept': '' });
  const { dir, look } = place;
  const first = look();
  dir.write('home/.other/log/2', '');
  const second = look();
  dir.write('home/.other/log/3', '');
  dir.write('home/.other/kept', 'changed');
  expect(changesByTests(first, second, look(), dir.at('home'))).toEqual([{ path: dir.at('home/.other/kept'), how: 'changed' }]);
});

test('each test file has a temporary directory and a home of its own', () => {
  const own = process.env.FACTOTUM_TEST_RUN_DIRECTORY;
  for (const place of [tmpdir(), homedir(), process.env.XDG_STATE_HOME, process.env.XDG_CONFIG_HOME])
    expect(place).toContain(`${own}/surroundings-`);
});
