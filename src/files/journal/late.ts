import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { relative } from 'node:path';

/** The clock that files are stamped with moves in steps: 4 ms mostly, 10 ms at most. Two changes within one may bear the same time. */
export const CLOCK_STEP_MS = 10;

/** What is made in one step is little; of more than this nothing is read, and undoing leaves it where it is in doubt. */
const MOST_FILES = 256;
const MOST_BYTES = 4 * 1024 * 1024;
/** What was late a while ago is dropped now and then. */
const PRUNE_AT = 4_096;

/** Files that were changed in the last step of a tree. */
export interface Late {
  see(path: string, stats: Stats): void;
  latestMs(): number;
  /** Looks and content of those, by path below the root. */
  contents(root: string): Readonly<Record<string, string>>;
}

export const createLate = (): Late => {
  let latest = 0;
  let seen: { readonly path: string; readonly ctimeMs: number; readonly size: number }[] = [];
  const prune = (): void => {
    seen = seen.filter(({ ctimeMs }) => ctimeMs >= latest - CLOCK_STEP_MS);
  };
  return {
    see(path, stats) {
      const { ctimeMs, size } = stats;
      latest = Math.max(latest, ctimeMs);
      if (!(stats.isFile() || stats.isSymbolicLink()) || ctimeMs < latest - CLOCK_STEP_MS) return;
      seen.push({ path, ctimeMs, size });
      if (seen.length % PRUNE_AT === 0) prune();
    },
    latestMs: () => latest,
    contents(root) {
      prune();
      let bytes = 0;
      const some = seen.slice(0, MOST_FILES).filter(({ size }) => {
        bytes += size;
        return bytes <= MOST_BYTES;
      });
      return Object.fromEntries(some.map(({ path }) => [relative(root, path), contentOf(path) ?? '']));
    },
  };
};

/** Mode, time and content of a regular file, or where a link leads, as one text; undefined for anything else. */
export const contentOf = (path: string): string | undefined => {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path, 'latin1')}`;
  if (!stats.isFile()) return undefined; // a pipe would be waited for
  const { mode, mtimeMs } = stats;
  return `${(mode & 0o7777).toString(8)} ${mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('base64url')}`;
};
