import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resolvePath, resolveSegments } from './resolve.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-resolve-')));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A chain of links l1 -> l2 -> … that ends at `end`; answers the name of the first. */
function chain(length: number): string {
  for (let at = 1; at <= length; at += 1) symlinkSync(at === length ? 'end' : `l${at + 1}`, join(root, `l${at}`));
  return join(root, 'l1');
}

describe('resolving', () => {
  test('follows links before it applies ".."', () => {
    mkdirSync(join(root, 'd/e'), { recursive: true });
    symlinkSync('d/e', join(root, 'l'));
    expect(resolvePath(`${root}/l/../x`)).toBe(`${root}/d/x`);
  });

  test('keeps what is missing and what lies below a file', () => {
    writeFileSync(join(root, 'f'), '');
    expect(resolvePath(`${root}/no/such/thing`)).toBe(`${root}/no/such/thing`);
    expect(resolvePath(`${root}/f/x`)).toBe(`${root}/f/x`);
  });

  test('follows a dangling link to what a write would create', () => {
    symlinkSync('../elsewhere/new', join(root, 'l'));
    expect(resolvePath(`${root}/l`)).toBe(join(root, '../elsewhere/new'));
  });

  test('follows 40 links and gives up at the next, as the system does', () => {
    writeFileSync(join(root, 'end'), '');
    const first = chain(40);
    expect(resolvePath(first)).toBe(realpathSync.native(first));
    symlinkSync('l1', join(root, 'l0'));
    expect(() => realpathSync.native(join(root, 'l0'))).toThrow('ELOOP');
    expect(() => resolvePath(join(root, 'l0'))).toThrow(expect.objectContaining({ code: 'ELOOP' }));
  });

  test('refuses a link that cannot be read as text instead of guessing', () => {
    symlinkSync(Buffer.from([0xff]), join(root, 'l'));
    expect(() => resolvePath(`${root}/l/x`)).toThrow(expect.objectContaining({ code: 'EILSEQ' }));
  });

  test('never climbs above the file system root', () => {
    expect(resolvePath('/../..')).toBe('/');
  });
});

describe('the judge', () => {
  test('sees the end of each segment, not the inside of a link', () => {
    mkdirSync(join(root, 'd'));
    symlinkSync(`../${root.split('/').at(-1)}/d`, join(root, 'l'));
    const seen: string[] = [];
    resolveSegments(root, ['l', 'x', '..', 'y'], (step) => seen.push(step));
    expect(seen).toEqual(['d', 'd/x', 'd', 'd/y'].map((step) => join(root, step)));
  });

  test('stops the walk by throwing, before the next entry is looked at', () => {
    const seen: string[] = [];
    const judge = (step: string): void => {
      seen.push(step);
      throw new Error('no further');
    };
    expect(() => resolveSegments(root, ['a', 'b'], judge)).toThrow('no further');
    expect(seen).toEqual([join(root, 'a')]);
  });
});

test('agrees with the system wherever the system finds an end', () => {
  const part = fc.constantFrom('a', 'b', 'l', 'm', 'n', '..', '.', '');
  const path = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('/'));
  let found = 0;
  fc.assert(
    fc.property(fc.tuple(path, path, path), fc.array(path, { minLength: 10, maxLength: 10 }), (targets, paths) => {
      const top = mkdtempSync(join(root, 't'));
      mkdirSync(join(top, 'a/b'), { recursive: true });
      writeFileSync(join(top, 'b'), '');
      for (const [at, place] of ['l', 'a/m', 'a/b/n'].entries()) symlinkSync(targets[at] || '.', join(top, place));
      for (const candidate of paths) {
        const real = systemRealpath(`${top}/${candidate}`);
        if (real === undefined) continue;
        found += 1;
        expect(resolvePath(`${top}/${candidate}`)).toBe(real);
      }
    }),
    { numRuns: 200 },
  );
  expect(found).toBeGreaterThan(5);
});

function systemRealpath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
