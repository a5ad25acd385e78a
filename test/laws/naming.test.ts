import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const below = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
const sources = ['src', 'test', 'scripts']
  .flatMap(below)
  .filter((file) => /\.[cm]?[jt]s$/.test(file) && !file.startsWith('test/fixtures/'));
const linesOf = (file: string): number => readFileSync(file, 'utf8').trimEnd().split('\n').length;

/** A name that says nothing gathers everything. */
const EMPTY_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'types', 'shared', 'constants']);

test('no file or folder has a name that says nothing', () => {
  const names = ['src', 'test', 'scripts'].flatMap(below).filter((file) => EMPTY_NAMES.has(basename(file).split('.')[0] ?? ''));
  expect(names).toEqual([]);
});

test('files are called in kebab-case', () => {
  expect(sources.filter((file) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.[cm]?[jt]s$/.test(basename(file)))).toEqual([]);
});

/** Long by nature: the catalogue of errors, tables, and what is written by a program. */
const mayBeLong = (file: string): boolean => file === 'src/core/errors.ts' || /(?:[-.]table\.ts|\.generated\.ts)$/.test(file);

test('no file is longer than 400 lines', () => {
  const long = sources.filter((file) => !mayBeLong(file) && linesOf(file) > 400);
  expect(long.map((file) => `${file}: ${linesOf(file)} lines`)).toEqual([]);
});

describe('every room says in about ten lines what lives there', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  test.each(rooms.map(({ name }) => name))('src/%s/README.md', (room) => {
    const page = join('src', room, 'README.md');
    expect(existsSync(page)).toBe(true);
    expect(linesOf(page)).toBeGreaterThanOrEqual(6);
    expect(linesOf(page)).toBeLessThanOrEqual(16);
    const named = [...readFileSync(page, 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(join('src', room, file)) && !existsSync(join('src', file)))).toEqual([]);
  });
});
