import { join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVIL_CASES } from '../../../../test/support/archives/corpus.ts';
import { NO_LIMITS, signal } from '../../../../test/support/archives/memory.ts';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { ArchiveException, FileAutomationException } from '../../../core/errors.ts';
import type { ArchiveEntry, ArchiveEntryKind } from '../entry.ts';
import { judgeEntries } from './judge-entries.ts';
import { judgeLinkTarget } from './judge-link.ts';
import { judgeName } from './judge-name.ts';

const entry = (name: string, kind: ArchiveEntryKind = 'file', more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  name,
  otherNames: [],
  isMisencoded: false,
  kind,
  size: 0,
  mtimeMs: 0,
  mode: 0o644,
  ...more,
});

const refusalIn = async (work: () => Promise<unknown>): Promise<string | undefined> => {
  const fault = await work().catch((thrown: unknown) => thrown);
  return fault instanceof FileAutomationException ? fault.type : undefined;
};

const refusalOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (fault) {
    if (fault instanceof FileAutomationException) return fault.type;
    throw fault;
  }
};

describe('a name', () => {
  test('that is let through stays below the target, on both kinds of systems', () => {
    const piece = fc.oneof(fc.constantFrom('..', '.', '', '/', '\\', 'C:', 'a', 'b\0', '~'), fc.string());
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1 }),
        fc.constantFrom('/', '\\'),
        fc.constantFrom('posix', 'win32'),
        (pieces, separator, platform) => {
          const name = pieces.join(separator);
          let segments: readonly string[];
          try {
            segments = judgeName(name, platform);
          } catch (fault) {
            expect(fault).toBeInstanceOf(FileAutomationException);
            return;
          }
          const way = relative('/target', resolve('/target', ...segments));
          expect(way.split('/')).not.toContain('..');
          const separators = platform === 'win32' ? /[/\\\0]/ : /[/\0]/;
          expect(segments.every((segment) => !['..', '.', ''].includes(segment) && !separators.test(segment))).toBe(true);
          expect(join('/target', name).startsWith('/target')).toBe(true);
        },
      ),
    );
  });

  test.each(EVIL_CASES.filter(({ expect: { on_win32 } }) => on_win32 !== undefined).map(({ id, entries }) => [id, entries] as const))(
    'of case %s is refused on Windows',
    (_, entries) => {
      const name = Array.isArray(entries) ? entries[0]?.name : undefined;
      expect(refusalOf(() => judgeName(String(name), 'win32'))).toBe('ArchiveException');
    },
  );

  test('with dots and doubled slashes is read as the plain one', () => {
    expect(judgeName('./a//b/./c')).toEqual(['a', 'b', 'c']);
  });

  test('may go down 64 levels and no further', () => {
    expect(judgeName(`${'d/'.repeat(63)}x`)).toHaveLength(64);
    expect(() => judgeName(`${'d/'.repeat(64)}x`)).toThrow(ArchiveException);
  });
});

describe('a link', () => {
  test.each([
    ['a/b/l', 'x', 'a/b/x'],
    ['a/b/l', '../x', 'a/x'],
    ['a/b/l', '../../x/y', 'x/y'],
    ['a/b/l', '../..', ''],
    ['l', '.', ''],
    ['l', './a//b', 'a/b'],
  ])('at %s to %s leads to %s', (at, target, leads) => {
    expect(judgeLinkTarget(at, at.split('/'), target).join('/')).toBe(leads);
  });

  test.each([
    ['l', '..', 'PathTraversalException'],
    ['a/l', '../../x', 'PathTraversalException'],
    ['a/l', 'x/../../../y', 'PathTraversalException'],
    ['a/l', 'x/..', 'PathTraversalException'],
    ['l', '/x', 'PathTraversalException'],
    ['l', '\\\\server\\share', 'PathTraversalException'],
    ['l', 'C:x', 'PathTraversalException'],
    ['l', '..\\x', 'PathTraversalException'],
    ['l', 'a\\..\\b', 'PathTraversalException'],
    ['l', 'a\0b', 'ArchiveException'],
  ])('at %s to %j is refused', (at, target, type) => {
    expect(refusalOf(() => judgeLinkTarget(at, at.split('/'), target))).toBe(type);
  });

  test('may have a backslash in its target where that is a letter', () => {
    expect(judgeLinkTarget('l', ['l'], 'a\\b', 'posix')).toEqual(['a\\b']);
    expect(refusalOf(() => judgeLinkTarget('l', ['l'], 'a\\b', 'win32'))).toBe('ArchiveException');
  });

  test('that is let through leads inside even through all the others', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
    const target = fc.array(fc.constantFrom('..', '.', ...names), { minLength: 1, maxLength: 6 }).map((steps) => steps.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(path, target), { minLength: 1, maxLength: 8 }), async (drafts) => {
        const links = new Map<string, readonly string[]>();
        for (const [segments, to] of drafts) {
          const one = entry(segments.join('/'), 'symlink', { linkTarget: to });
          const together = [...links].map(([name, steps]) => entry(name, 'symlink', { linkTarget: steps.join('/') }));
          const refusal = await refusalIn(() => judgeEntries([...together, one], { links: 'inside', limits: NO_LIMITS, signal }));
          if (refusal === undefined) links.set(one.name, to.split('/'));
        }
        for (const name of links.keys()) expect(() => follow(name.split('/'), links)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

/** Goes where a path leads as a file system would; throws when it climbs above the root. */
const follow = (path: readonly string[], links: ReadonlyMap<string, readonly string[]>): void => {
  const left = [...path];
  const here: string[] = [];
  for (let hops = 0; left.length > 0 && hops < 40; ) {
    const step = left.shift();
    if (step === undefined || step === '.' || step === '') continue;
    if (step === '..') {
      if (here.length === 0) throw new Error('outside');
      here.pop();
      continue;
    }
    const target = links.get([...here, step].join('/'));
    if (target === undefined) here.push(step);
    else {
      left.unshift(...target);
      hops += 1;
    }
  }
};

describe('entries together', () => {
  const judge = (entries: readonly ArchiveEntry[], links: 'refuse' | 'inside' = 'inside') =>
    judgeEntries(entries, { links, limits: NO_LIMITS, signal });

  test('may name a directory twice', async () => {
    expect((await judge([entry('a/', 'dir'), entry('a/b'), entry('a', 'dir')])).map(({ segments }) => segments.join('/'))).toEqual([
      'a',
      'a/b',
      'a',
    ]);
  });

  test('may name the target itself, which needs no writing', async () => {
    expect((await judge([entry('./', 'dir'), entry('./a')])).map(({ segments }) => segments.join('/'))).toEqual(['a']);
  });

  test.each([
    ['below a link', [entry('l', 'symlink', { linkTarget: 'd' }), entry('l/x')]],
    ['at the place of a link', [entry('l', 'symlink', { linkTarget: 'd' }), entry('l')]],
    ['where something lies already', [entry('l/x'), entry('l', 'symlink', { linkTarget: 'd' })]],
    [
      'in a circle',
      [entry('a', 'symlink', { linkTarget: 'b' }), entry('b', 'symlink', { linkTarget: 'c' }), entry('c', 'symlink', { linkTarget: 'a' })],
    ],
    ['as a hard link to a link', [entry('l', 'symlink', { linkTarget: 'd' }), entry('h', 'hardlink', { linkTarget: 'l' })]],
    ['as a directory with content', [entry('d/', 'dir', { size: 1 })]],
  ])('may not lie %s', async (_, entries) => {
    expect(await refusalIn(() => judge(entries))).toBe('ArchiveException');
  });

  test('count a hard link as the copy that it becomes', async () => {
    const entries = [entry('a', 'file', { size: 60 }), entry('b', 'hardlink', { linkTarget: 'a' })];
    expect(await refusalIn(() => judgeEntries(entries, { links: 'inside', limits: { ...NO_LIMITS, maxBytes: 100 }, signal }))).toBe(
      'QuotaExceededException',
    );
  });

  test('claim a hundred thousand deep places without delay', async () => {
    const entries = Array.from({ length: 100_000 }, (_, at) => entry(`${'d/'.repeat(40)}${at}`));
    const started = cpuMs();
    expect(await judge(entries)).toHaveLength(100_000);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });

  test('may be a hundred thousand links, each to the next, and are followed once', async () => {
    const entries = Array.from({ length: 100_000 }, (_, at) => entry(`l${at}`, 'symlink', { linkTarget: `l${at + 1}` }));
    const started = cpuMs();
    expect(await judge(entries)).toHaveLength(100_000);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });
});
