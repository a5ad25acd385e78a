import { join } from 'node:path';
import type { Json } from '../../../core/errors.ts';
import type { WatchKind } from '../../../core/ports/watchers.ts';
import type { KnownTree } from '../disk/known-tree.ts';
import { type Change, pairMoves } from './pending.ts';

/** Something that happened to a file. Paths are relative to the root. */
export interface FileEvent {
  readonly kind: WatchKind;
  readonly path: string;
  /** Null: it is gone. */
  readonly fingerprint: string | null;
  readonly movedFrom: string | null;
  readonly size: number | null;
  readonly isReplayed: boolean;
  readonly isOwn: boolean;
}

/** What changes mean, given what was known before. */
export const eventsOf = (changes: readonly (readonly [string, Change])[], known: KnownTree): FileEvent[] => {
  const partners = pairMoves(changes, known);
  const own = new Set(changes.filter(([, { isOwn }]) => isOwn).map(([path]) => path));
  return changes.flatMap(([path, { fingerprint, size, isReplayed, isOwn }]) => {
    const partner = partners.get(path);
    if (partner !== undefined && fingerprint === null) return []; // told with its new path
    const kind =
      fingerprint === null ? 'deleted' : partner !== undefined ? 'moved' : known.get(path) === undefined ? 'created' : 'modified';
    const movedFrom = partner ?? null;
    return [{ kind, path, fingerprint, movedFrom, size, isReplayed, isOwn: isOwn || (partner !== undefined && own.has(partner)) }];
  });
};

/** One file of an event, as the list sees it. */
export interface ShownFile {
  readonly [key: string]: Json;
  readonly path: string;
  readonly relative: string;
  readonly moved_from: string | null;
  readonly size: number | null;
  /** It happened while nobody watched. */
  readonly replayed: boolean;
}

/** An event as the list sees it: `${event.path}`. The keys of the first file stand beside all of them. */
export interface ShownEvent extends ShownFile {
  readonly watcher: string;
  readonly kind: WatchKind;
  readonly paths: readonly string[];
  readonly files: readonly ShownFile[];
}

/** A file as the list sees it. */
export const shownFile = (base: string, event: FileEvent): ShownFile => ({
  path: join(base, event.path),
  relative: event.path,
  moved_from: event.movedFrom === null ? null : join(base, event.movedFrom),
  size: event.size,
  replayed: event.isReplayed,
});

/** The event of one run; there is at least one file. */
export const shownEvent = (watcher: string, kind: WatchKind, files: readonly [ShownFile, ...ShownFile[]]): ShownEvent => ({
  watcher,
  kind,
  ...files[0],
  paths: files.map(({ path }) => path),
  files,
});
