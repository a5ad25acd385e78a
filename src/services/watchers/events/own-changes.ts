import { relative, sep } from 'node:path';
import type { RunId } from '../../engine/port/runs.ts';

/** What the runs of a watcher do in its own tree, so that they do not set it off again. */
export interface OwnChanges {
  /** A run is about to change a path, which is absolute. */
  add(runId: RunId, path: string): void;
  /** Whether a run under way changed this path, relative to the root, or a directory above it. */
  has(path: string): boolean;
  /** The paths that a run changed, relative to the root. */
  of(runId: RunId): Iterable<string>;
  delete(runId: RunId): void;
}

/** `bases` are the ways to write the root: as given, and without links. */
export const createOwnChanges = (bases: readonly string[]): OwnChanges => {
  const runs = new Map<RunId, Set<string>>();
  const insideOf = (path: string): string | undefined =>
    bases.map((base) => relative(base, path)).find((inner) => inner !== '' && inner !== '..' && !inner.startsWith(`..${sep}`));
  return {
    add(runId, path) {
      const inner = insideOf(path);
      if (inner === undefined) return;
      const paths = runs.get(runId) ?? new Set();
      runs.set(runId, paths.add(inner.replaceAll(sep, '/')));
    },
    has(path) {
      if (runs.size === 0) return false;
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const above = path.slice(0, end);
        for (const paths of runs.values()) if (paths.has(above)) return true;
      }
      return false;
    },
    of: (runId) => runs.get(runId) ?? [],
    delete: (runId) => void runs.delete(runId),
  };
};
