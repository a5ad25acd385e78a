import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { makeDirectories } from './make-directories.ts';

test('makes what is missing, with one mode, and takes what is there', () => {
  using room = tempDir({});
  makeDirectories(room.at('a/b/c'), 0o700);
  makeDirectories(room.at('a/b/c'), 0o700);
  expect(statSync(room.at('a')).mode & 0o777).toBe(0o700);
  expect(statSync(room.at('a/b/c')).mode & 0o777).toBe(0o700);
});

test('takes a link to a directory', () => {
  using room = tempDir({ 'd/x': '' });
  symlinkSync(room.at('d'), room.at('l'));
  makeDirectories(room.at('l'));
  makeDirectories(room.at('l/e'));
  expect(statSync(room.at('d/e')).isDirectory()).toBe(true);
});

test.each([
  ['a file stands there', 'a', 'EEXIST'],
  ['a file stands on the way', 'a/b/c', 'ENOTDIR'],
  ['a link leads nowhere', 'l', 'EEXIST'],
  ['a link on the way leads nowhere', 'l/b', 'EEXIST'],
])('fails where %s', (_, name, code) => {
  using room = tempDir({ a: '' });
  symlinkSync(room.at('nowhere'), room.at('l'));
  expect(() => makeDirectories(room.at(name))).toThrow(expect.objectContaining({ code }));
});

test.runIf(process.platform === 'linux')('fails where a directory that is there lets nothing be made', () => {
  expect(() => makeDirectories('/proc/nope/x')).toThrow(expect.objectContaining({ code: 'ENOENT', path: '/proc/nope' }));
});

test('nobody lets Node make directories by itself', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const own = files.filter((file) => /mkdir(?:Sync)?\([^;]*recursive: true/.test(readFileSync(`src/${file}`, 'utf8')));
  expect(own).toEqual(['bin/code-cache.ts']); // beside the program itself, and of the other rooms it may not use this one
});
