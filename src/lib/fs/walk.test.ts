import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import type { Grant } from '../../core/files.ts';
import { createWalk, type Visitor, type WalkPart } from './walk.ts';
import { splitParts } from './walk-parts.ts';
import { openTally } from './walk-tally.ts';

const grantOf = (root: string, byHandles: boolean): Grant => ({
  root,
  access: 'read',
  byHandles,
  dry: false,
  counters: new SharedArrayBuffer(16),
});

/** Collects every entry, directories too, as `relative path (kind)`. */
const collector = (options: Partial<Visitor> = {}) => {
  const told: string[] = [];
  const left: string[] = [];
  const unreadable: string[] = [];
  const visitor: Visitor = {
    wants: () => true,
    enters: () => true,
    entry(name, kind, { relative }) {
      told.push(`${relative}${name} (${kind})`);
      return undefined;
    },
    leave: ({ relative }) => void left.push(relative),
    unreadable: (relative, fault) => void unreadable.push(`${relative}: ${(fault as NodeJS.ErrnoException).code}`),
    ...options,
  };
  return { told, left, unreadable, visitor };
};

/** Modes mean nothing to root. */
const asOrdinaryUser = (work: () => void): void => {
  const user = process.geteuid?.() ?? 0;
  if (user === 0) process.seteuid?.(65_534);
  try {
    work();
  } finally {
    process.seteuid?.(user);
  }
};

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

const sample = (): TempDir => {
  const dir = tempDir({ 'a/x': '', 'a/b/y': '', 'a-b': '', 'a.txt': '', 'c/d/e/f': '', z: '' });
  symlinkSync('a', dir.at('link'));
  mkdirSync(dir.at('empty'));
  return dir;
};
const SAMPLE = [
  'a (dir)',
  'a-b (file)',
  'a.txt (file)',
  'a/b (dir)',
  'a/b/y (file)',
  'a/x (file)',
  'c (dir)',
  'c/d (dir)',
  'c/d/e (dir)',
  'c/d/e/f (file)',
  'empty (dir)',
  'link (link)',
  'z (file)',
];

describe.each([
  ['by paths', false],
  ['by handles', true],
])('a walk %s', (_, byHandles) => {
  test('tells everything in the order of the paths and enters no link', () => {
    using dir = sample();
    const { told, left, visitor } = collector();
    expect(createWalk(grantOf(dir.path, byHandles), visitor).run()).toBe(true);
    expect(told).toEqual(SAMPLE);
    expect(left).toEqual(['a/b/', 'a/', 'c/d/e/', 'c/d/', 'c/', 'empty/', '']);
  });

  test('leaves out what is not wanted and what is not to be entered', () => {
    using dir = sample();
    const { told, visitor } = collector({ wants: (_name, kind) => kind === 'file', enters: (name) => name !== 'c' });
    createWalk(grantOf(dir.path, byHandles), visitor).run();
    expect(told).toEqual(['a-b (file)', 'a.txt (file)', 'a/b/y (file)', 'a/x (file)', 'z (file)']);
  });

  test('walks the root of all', () => {
    const { told, visitor } = collector({ enters: (name, { relative }) => name === 'proc' || relative === 'proc/' });
    createWalk(grantOf('/', byHandles), { ...visitor, wants: (name) => name === 'proc' || name === 'cmdline' }).run();
    expect(told).toContain('proc/cmdline (file)');
  });

  test('gives addresses that lead to the entries', () => {
    using dir = tempDir({ 'a/b/c': 'text', 'a/b/d': 'text' });
    const sizes: string[] = [];
    const { visitor } = collector({
      wants: (_name, kind) => kind === 'file',
      entry(name, _kind, directory) {
        writeFileSync(directory.address(name), name);
        sizes.push(name);
        return undefined;
      },
    });
    createWalk(grantOf(dir.path, byHandles), visitor).run();
    expect(sizes.map((name) => dir.read(`a/b/${name}`))).toEqual(['c', 'd']);
  });

  test('goes on after a pause, in the middle of a directory too', () => {
    const names = Array.from({ length: 300 }, (_unused, at) => `d/${String(at).padStart(3, '0')}`);
    using dir = tempDir(Object.fromEntries(names.map((name) => [name, ''])));
    const { told, visitor } = collector();
    const walk = createWalk(grantOf(dir.path, byHandles), visitor);
    let pauses = 0;
    while (!walk.run(() => true)) pauses += 1;
    expect(pauses).toBeGreaterThan(3);
    expect(told).toEqual(['d (dir)', ...names.map((name) => `${name} (file)`)]);
  });

  test('tells an entry again that was not finished', () => {
    using dir = tempDir({ a: '', b: '' });
    const told: string[] = [];
    const { visitor } = collector({
      entry(name) {
        told.push(name);
        return told.length === 1 ? 'again' : undefined;
      },
    });
    const walk = createWalk(grantOf(dir.path, byHandles), visitor);
    expect(walk.run()).toBe(false);
    expect(walk.run()).toBe(true);
    expect(told).toEqual(['a', 'a', 'b']);
  });

  test('tells files many at a time, in the same order, and again those that had to wait', () => {
    using dir = sample();
    for (let at = 0; at < 150; at += 1) dir.write(`many/${String(at).padStart(3, '0')}`, '');
    const expected = collector();
    createWalk(grantOf(dir.path, byHandles), expected.visitor).run();
    const grant = grantOf(dir.path, byHandles);
    const { told, visitor } = collector();
    let calls = 0;
    const files: Visitor['files'] = (run) => {
      calls += 1;
      const last = Math.min(run.until, run.next + 40); // then it has to wait
      for (; run.next < last; run.next += 1) visitor.entry(run.steps[run.next] ?? '', 'file', run.directory);
      return run.next < run.until ? 'again' : undefined;
    };
    using walk = createWalk(grant, { ...visitor, files });
    while (!walk.run());
    expect(told).toEqual(expected.told);
    expect(calls).toBeLessThan(20);
  });

  test('ends where it is told to', () => {
    using dir = sample();
    const { told, visitor } = collector();
    const walk = createWalk(grantOf(dir.path, byHandles), {
      ...visitor,
      entry: (...entry) => visitor.entry(...entry) ?? (told.length === 3 ? 'end' : undefined),
    });
    expect(walk.run()).toBe(true);
    expect(told).toEqual(SAMPLE.slice(0, 3));
    expect(walk.rest()).toEqual([]);
  });

  test('stops soon after the flag is set and counts what it did', () => {
    using dir = tempDir(Object.fromEntries(Array.from({ length: 500 }, (_unused, at) => [`${at}`, ''])));
    const grant = grantOf(dir.path, byHandles);
    const tally = openTally(grant);
    const { told, visitor } = collector();
    tally.stop();
    expect(createWalk(grant, visitor).run()).toBe(true);
    expect(told.length).toBeLessThan(100);
    expect(tally.files()).toBeGreaterThan(told.length - 1);
  });

  test('is the same walk when it is stopped anywhere and its rest is walked in parts', () => {
    using dir = sample();
    for (let stopAt = 0; stopAt <= SAMPLE.length; stopAt += 1) {
      for (const wanted of [1, 3, 100]) {
        const grant = grantOf(dir.path, byHandles);
        const { told, visitor } = collector();
        const walk = createWalk(grant, { ...visitor, entry: (...entry) => (told.length === stopAt ? 'again' : visitor.entry(...entry)) });
        const parts: WalkPart[] = walk.run() ? [] : splitParts(grant, visitor, walk.rest(), wanted);
        // Parts cross to other threads as clones.
        for (const part of structuredClone(parts)) createWalk(grant, visitor, [part]).run();
        expect(told).toEqual(SAMPLE);
      }
    }
  });

  test('divides large directories too', () => {
    const names = Array.from({ length: 1_000 }, (_unused, at) => `${String(at).padStart(3, '0')}`);
    using dir = tempDir(Object.fromEntries(names.map((name) => [name, ''])));
    const { told, visitor } = collector();
    const grant = grantOf(dir.path, byHandles);
    const parts = splitParts(grant, visitor, [{ relative: '' }], 4);
    expect(parts).toHaveLength(4);
    createWalk(grant, visitor, parts).run();
    expect(told).toEqual(names.map((name) => `${name} (file)`));
  });

  test('reports a directory that vanished and goes on', () => {
    using dir = tempDir({ 'a/x': '', 'b/y': '' });
    const { told, unreadable, visitor } = collector({ wants: (_name, kind) => kind === 'file' });
    const walk = createWalk(grantOf(dir.path, byHandles), {
      ...visitor,
      enters(name) {
        if (name === 'a') renameSync(dir.at('a'), dir.at('gone'));
        return name !== 'gone';
      },
    });
    walk.run();
    expect(told).toEqual(['b/y (file)']);
    expect(unreadable).toEqual(['a: ENOENT']);
  });

  test('reports a name that is no text and goes on', () => {
    using dir = tempDir({ good: '', 'real\uFFFD': '' });
    for (const name of ['bad', 'real']) writeFileSync(Buffer.concat([Buffer.from(join(dir.path, name)), Buffer.from([0xff])]), '');
    const { told, unreadable, visitor } = collector();
    createWalk(grantOf(dir.path, byHandles), visitor).run();
    expect(told).toEqual(['good (file)', 'real\uFFFD (file)']);
    expect(unreadable).toEqual(['bad\\xff: EILSEQ', 'real\\xff: EILSEQ']);
  });

  test('reports a directory that may not be read and goes on', () => {
    using dir = tempDir({ 'a/x': '', 'b/y': '' });
    const { told, unreadable, visitor } = collector({ wants: (_name, kind) => kind === 'file' });
    chmodSync(dir.path, 0o755);
    chmodSync(dir.at('a'), 0);
    asOrdinaryUser(() => createWalk(grantOf(dir.path, byHandles), visitor).run());
    chmodSync(dir.at('a'), 0o700);
    expect(told).toEqual(['b/y (file)']);
    expect(unreadable).toEqual(['a: EACCES']);
  });

  test('keeps nothing open, finished or not', () => {
    using dir = sample();
    const before = openDescriptors();
    createWalk(grantOf(dir.path, byHandles), collector().visitor).run();
    {
      using walk = createWalk(grantOf(dir.path, byHandles), {
        ...collector().visitor,
        entry: (name) => (name === 'f' ? 'again' : undefined),
      });
      walk.run();
    }
    const walk = createWalk(grantOf(dir.path, byHandles), {
      ...collector().visitor,
      entry: (name) => (name === 'f' ? 'again' : undefined),
    });
    walk.run();
    walk.rest();
    expect(openDescriptors()).toBe(before);
  });
});

test('a directory swapped for a link meanwhile is not entered by handles', () => {
  using dir = tempDir({ 'root/a/x': '', 'outside/secret': '' });
  const { told, unreadable, visitor } = collector({ wants: (_name, kind) => kind === 'file' });
  createWalk(grantOf(dir.at('root'), true), {
    ...visitor,
    enters(name) {
      renameSync(dir.at('root/a'), dir.at('moved'));
      symlinkSync(dir.at('outside'), dir.at('root/a'));
      return name === 'a';
    },
  }).run();
  expect(told).toEqual([]);
  expect(unreadable).toHaveLength(1);
});
