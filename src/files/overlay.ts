import { dirname, join, sep } from 'node:path';
import type { EntryKind } from '../core/files.ts';

/** What a planned file holds, where that can be told: its bytes, or the same as another path. */
export type Content = { readonly bytes: Uint8Array } | { readonly sameAs: string } | undefined;

/** Something that a dry run has changed. */
export type Changed =
  | { readonly kind: 'gone' }
  | { readonly kind: 'file'; readonly size: number | undefined; readonly mtimeMs: number; readonly mode: number; readonly content: Content }
  /** `source`: the real directory whose children show here unless changed; undefined for a new one. */
  | { readonly kind: 'dir'; readonly source: string | undefined; readonly mtimeMs: number; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string; readonly mtimeMs: number };

/** Where a path is to be looked up: among the changes, on the disk, or nowhere. */
export type Found = { readonly changed: Changed } | { readonly real: string } | undefined;

/** The changes of a dry run, laid over the disk. */
export interface Overlay {
  find(path: string): Found;
  set(path: string, changed: Changed): void;
  /** Names and kinds that the changes add or hide directly below a directory. */
  changesIn(path: string): ReadonlyMap<string, EntryKind | 'gone'>;
  /** Moves every change at or below `from` to `to`. */
  relocate(from: string, to: string): void;
  /** Forgets every change below a path. */
  clearBelow(path: string): void;
}

export const createOverlay = (): Overlay => {
  const changes = new Map<string, Changed>();

  const find = (path: string): Found => {
    const own = changes.get(path);
    if (own !== undefined) return own.kind === 'gone' ? undefined : { changed: own };
    for (let above = dirname(path), below = path; above !== below; below = above, above = dirname(above)) {
      const holder = changes.get(above);
      if (holder === undefined) continue;
      return holder.kind === 'dir' && holder.source !== undefined ? { real: join(holder.source, path.slice(above.length)) } : undefined;
    }
    return { real: path };
  };

  return {
    find,
    set: (path, changed) => void changes.set(path, changed),
    changesIn(path) {
      const inside = new Map<string, EntryKind | 'gone'>();
      for (const [each, changed] of changes) if (dirname(each) === path && each !== path) inside.set(each.slice(path === sep ? 1 : path.length + 1), changed.kind);
      return inside;
    },
    relocate(from, to) {
      for (const [path, changed] of [...changes]) {
        if (path !== from && !path.startsWith(from + sep)) continue;
        changes.delete(path);
        changes.set(to + path.slice(from.length), changed);
      }
    },
    clearBelow(path) {
      for (const each of [...changes.keys()]) if (each.startsWith(path + sep)) changes.delete(each);
    },
  };
};
