import { linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DirNotExistsException, FileAccessException, FileAutomationException, PathTraversalException } from '../../core/errors.ts';
import { isWithin, safeJoin } from './safe-path.ts';

type Entry = { dir: string } | { file: string; text?: string } | { link: string; to: string } | { hardlink: string; to: string };

interface Case {
  readonly id: string;
  readonly kind?: 'race';
  readonly platform?: 'posix' | 'win32';
  readonly setup?: readonly Entry[];
  readonly root?: string;
  readonly path: unknown;
  readonly expect: { readonly ok: boolean; readonly path?: string; readonly error?: string; readonly within?: boolean };
  readonly why: string;
}

const CORPUS = new URL('../../../test/fixtures/corpus/path-traversal.json', import.meta.url);
// The file is ours and its shape is what the table below exercises.
const { cases } = JSON.parse(readFileSync(CORPUS, 'utf8')) as { cases: Case[] };

let parent: string;
let base: string;
let outside: string;

beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-safe-path-')));
  base = join(parent, 'base');
  outside = join(parent, 'outside');
  mkdirSync(base);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'secret');
});
afterEach(() => rmSync(parent, { recursive: true }));

const expand = (text: string): string => text.replaceAll('$R', () => base).replaceAll('$O', () => outside);

function expandPath(path: unknown): unknown {
  if (typeof path === 'string') return expand(path);
  if (typeof path === 'object' && path !== null && 'repeat' in path) {
    const { repeat, then = '' } = path as { repeat: [string, number]; then?: string }; // the one other form a path has in the file
    return repeat[0].repeat(repeat[1]) + then;
  }
  return path;
}

function make(entry: Entry): void {
  const place = (name: string): string => {
    const path = resolve(base, expand(name));
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  if ('dir' in entry) mkdirSync(place(entry.dir), { recursive: true });
  else if ('file' in entry) writeFileSync(place(entry.file), entry.text ?? '');
  else if ('link' in entry) symlinkSync(expand(entry.to), place(entry.link));
  else linkSync(expand(entry.to), place(entry.hardlink));
}

/** The value, or the error itself. */
function attempt<Value>(work: () => Value): Value | FileAutomationException {
  try {
    return work();
  } catch (fault) {
    if (fault instanceof FileAutomationException) return fault;
    throw fault;
  }
}

describe('every case of the table', () => {
  const table = cases.filter(({ kind, platform }) => kind !== 'race' && platform !== 'win32');

  test.each(table)('$id: $why', ({ setup = [], root = '$R', path, expect: expected }) => {
    for (const entry of setup) make(entry);
    const userPath = expandPath(path);
    const joined = attempt(() => safeJoin(expand(root), userPath));
    if (expected.ok) expect(joined).toBe(expand(expected.path ?? '').replace('<path>', () => String(userPath)));
    else expect(joined).toMatchObject({ type: expected.error });
    expect(isWithin(expand(root), userPath)).toBe(expected.ok || expected.within === true);
  });
});

describe('a refusal', () => {
  test('says which rule refused and what to do', () => {
    const refusal = attempt(() => safeJoin(base, 'a/../b'));
    expect(refusal).toBeInstanceOf(PathTraversalException);
    expect(refusal).toMatchObject({
      message: 'The path "a/../b" has a ".." segment; write it without.',
      context: { root: base, path: 'a/../b', reason: 'parent_segment' },
    });
  });

  test('does not tell where a link leads', () => {
    symlinkSync(outside, join(base, 'l'));
    const refusal = attempt(() => safeJoin(base, 'l'));
    expect(refusal).toMatchObject({ context: { root: base, path: 'l', reason: 'outside' } });
    expect(JSON.stringify(refusal)).not.toContain(outside);
  });

  test('shows what was given short and well-formed', () => {
    expect(attempt(() => safeJoin(base, `\ud800${'x'.repeat(100_000)}`))).toMatchObject({
      context: { path: `\ufffd${'x'.repeat(299)}…`, reason: 'lone_surrogate' },
    });
    expect(attempt(() => safeJoin(base, ['a']))).toMatchObject({ context: { path: 'object', reason: 'not_text' } });
    expect(attempt(() => safeJoin(base, null))).toMatchObject({ context: { path: 'null', reason: 'not_text' } });
  });

  test('covers links in a circle and paths that the system cannot follow', () => {
    symlinkSync('l', join(base, 'l'));
    expect(attempt(() => safeJoin(base, 'l'))).toMatchObject({ type: 'PathTraversalException', context: { reason: 'too_many_links' } });
    symlinkSync(Buffer.from([0x66, 0xff]), join(base, 'm'));
    expect(attempt(() => safeJoin(base, 'm'))).toMatchObject({ type: 'PathTraversalException', context: { reason: 'unreadable' } });
    const tooDeep = Array.from({ length: 16 }, () => 'n'.repeat(255)).join('/');
    expect(attempt(() => safeJoin(base, tooDeep))).toMatchObject({ type: 'PathTraversalException', context: { reason: 'unreadable' } });
  });
});

describe('the root', () => {
  test('must be a directory that can be reached', () => {
    writeFileSync(join(base, 'f'), '');
    symlinkSync('l', join(base, 'l'));
    expect(attempt(() => safeJoin(join(base, 'f'), 'x'))).toBeInstanceOf(DirNotExistsException);
    expect(attempt(() => safeJoin('', 'x'))).toBeInstanceOf(DirNotExistsException);
    expect(attempt(() => safeJoin(join(base, 'l'), 'x'))).toBeInstanceOf(FileAccessException);
    expect(isWithin(join(base, 'f'), 'x')).toBe(false);
  });
});

describe('over random trees of directories, files and links', () => {
  const DIRECTORIES = ['base/a', 'base/a/b', 'base/c', 'outside/d'];
  const name = fc.constantFrom('a', 'b', 'c', 'x', 'y');
  const step = fc.oneof({ weight: 4, arbitrary: name }, fc.constantFrom('.', '..', '', 'base', 'outside', 'd'));
  const steps = fc.array(step, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/') || '.');
  const anchored = fc.tuple(fc.constantFrom('', '', '$R/', '$O/', '/'), steps).map(([anchor, rest]) => anchor + rest);
  const leaf = fc.record({ in: fc.constantFrom('base', ...DIRECTORIES), name, to: fc.option(anchored) });
  const tree = fc.uniqueArray(leaf, { selector: (entry) => `${entry.in}/${entry.name}`, maxLength: 8 });

  /** Only ever makes entries in real directories: nothing is written through a link. */
  function regrow(entries: readonly { in: string; name: string; to: string | null }[]): void {
    for (const top of [base, outside]) rmSync(top, { recursive: true });
    for (const directory of DIRECTORIES) mkdirSync(join(parent, directory), { recursive: true });
    for (const entry of entries) {
      const path = join(parent, entry.in, entry.name);
      if (lstatSync(path, { throwIfNoEntry: false })) continue;
      if (entry.to === null) writeFileSync(path, '');
      else symlinkSync(expand(entry.to), path);
    }
  }

  function existingAncestor(path: string): string {
    try {
      lstatSync(path);
      return path;
    } catch {
      return existingAncestor(dirname(path));
    }
  }

  test('what safeJoin returns lies below the root and holds no link, and isWithin agrees where no ".." is written', () => {
    let joins = 0;
    fc.assert(
      fc.property(tree, fc.array(anchored, { minLength: 5, maxLength: 5 }), (entries, paths) => {
        regrow(entries);
        for (const path of paths.map(expand)) {
          const joined = attempt(() => safeJoin(base, path));
          if (typeof joined === 'string') {
            joins += 1;
            const ancestor = existingAncestor(joined);
            expect(realpathSync(ancestor)).toBe(ancestor);
            expect(`${ancestor}/`.startsWith(`${base}/`)).toBe(true);
          }
          if (!path.split('/').includes('..')) expect(isWithin(base, path)).toBe(typeof joined === 'string');
          else expect(joined).toBeInstanceOf(PathTraversalException);
        }
      }),
      { numRuns: 300 },
    );
    expect(joins).toBeGreaterThan(5);
  });

  test('isWithin agrees with the system about where an existing path ends, and is stricter only on the way of a relative one', () => {
    fc.assert(
      fc.property(tree, fc.array(anchored, { minLength: 5, maxLength: 5 }), (entries, paths) => {
        regrow(entries);
        for (const path of paths.map(expand)) {
          const real = systemRealpath(path.startsWith('/') ? path : `${base}/${path}`);
          if (real === undefined) continue;
          const endsInside = `${real}/`.startsWith(`${base}/`);
          if (isWithin(base, path)) expect(endsInside).toBe(true);
          else if (path.startsWith('/')) expect(endsInside).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  function systemRealpath(path: string): string | undefined {
    try {
      return realpathSync.native(path);
    } catch {
      return undefined;
    }
  }
});
