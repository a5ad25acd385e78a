import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isPlainPlace } from '../../support/plain-place.ts';

const names = fc.constantFrom('a', 'b.txt', 'B.TXT', '.c', 'é.md', 'x y', '-r', 'z', '[q]', 'new\nline');
const paths = fc.array(names, { minLength: 1, maxLength: 4 });
const contents = fc.constantFrom('', 'one', 'two', 'three', 'x'.repeat(70_000), `${'x'.repeat(69_999)}y`);
const looks = fc.record({ mode: fc.constantFrom(0o644, 0o600, 0o755, 0o400), seconds: fc.constantFrom(1_000_000_000, 1_500_000_000) });
/** Trees with files, empty directories and links. */
export const trees = fc.record({
  files: fc.array(fc.tuple(paths, contents, looks), { maxLength: 15 }),
  dirs: fc.array(paths, { maxLength: 4 }),
  links: fc.array(fc.tuple(paths, fc.constantFrom('a', '..', 'nowhere', '/etc')), { maxLength: 4 }),
});
/** What is in a tree, as far as it can be made. */
export type Tree = typeof trees extends fc.Arbitrary<infer T> ? T : never;

/** Makes a tree; what cannot be made because something else is in its way is left out. All directories are equally old. */
export const grow = (root: string, { files, dirs, links }: Tree): void => {
  const attempt = (work: () => unknown) => {
    try {
      work();
    } catch {
      // something else is there already
    }
  };
  mkdirSync(root);
  const at = (path: readonly string[]) => join(root, ...path);
  for (const [path, content, { mode, seconds }] of files)
    attempt(() => {
      mkdirSync(at(path.slice(0, -1)), { recursive: true });
      execFileSync('tee', ['--', at(path)], { input: content, stdio: ['pipe', 'ignore', 'ignore'] });
      chmodSync(at(path), mode);
      utimesSync(at(path), seconds, seconds);
    });
  for (const path of dirs) attempt(() => mkdirSync(at(path), { recursive: true }));
  for (const [path, target] of links) attempt(() => isPlainPlace(at(path)) && symlinkSync(target, at(path)));
  execFileSync('find', [root, '-type', 'd', '-exec', 'touch', '-d', '@1200000000', '{}', '+']);
};
