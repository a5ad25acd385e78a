import { join } from 'node:path';
import type { Log } from '../../../core/ports.ts';
import { boundedMap } from '../../../lib/async/bounded-map.ts';
import type { Pending } from '../events/pending.ts';
import type { Hints } from './hints.ts';
import type { KnownTree } from './known-tree.ts';
import { type Look, lookAt, type Names, readNames } from './look.ts';
import { childOf, type Scope } from './scope.ts';

export interface ComparisonParts {
  readonly base: string;
  readonly scope: Scope;
  readonly known: KnownTree;
  readonly pending: Pending;
  readonly log: Log;
  /** Opened before a directory is read, so that nothing can happen in between. */
  readonly hints?: Hints;
  /** What a run of the watcher itself did. */
  isOwn?(path: string): boolean;
  /** Told of every change by somebody else. */
  onForeign?(path: string, now: number): void;
  isStopped?(): boolean;
}

/** When, and after what, the disk is looked at. */
export interface Round {
  readonly now: number;
  readonly isReplayed: boolean;
}

/** Finds how the disk differs from what is known, and puts that down as pending. */
export interface Comparison {
  /** Compares a directory and all below; false where it is not there. */
  scan(directory: string, round: Round): Promise<boolean>;
  /** Compares what has this name. */
  examine(directory: string, name: string, round: Round): Promise<void>;
  /** What stands at a path; undefined where nothing does, null where that cannot be told now. */
  look(path: string): Promise<Look | undefined | null>;
  /** Puts down what was seen at the path of a file. */
  note(path: string, look: Look | undefined, round: Round): void;
}

const LOOKS_AT_ONCE = 16;

export const createComparison = (parts: ComparisonParts): Comparison => {
  const { base, scope, known, pending, log, hints, isOwn = () => false, onForeign = () => {}, isStopped = () => false } = parts;

  const note = (path: string, look: Look | undefined, { now, isReplayed }: Round) => {
    const file = look?.kind === 'file' ? look : undefined;
    const fingerprint = file?.fingerprint ?? null;
    if (fingerprint === (known.get(path) ?? null)) return pending.delete(path);
    const change = { fingerprint, size: file?.size ?? null, since: now, isReplayed, isOwn: isOwn(path) };
    if (pending.see(path, change) && !change.isOwn) onForeign(path, now);
  };

  const noteGone = (directory: string, round: Round) => {
    hints?.close(directory);
    for (const path of known.below(directory)) note(path, undefined, round);
  };

  const look = async (path: string): Promise<Look | undefined | null> => {
    try {
      return await lookAt(join(base, path));
    } catch (fault) {
      log('debug', 'a watched file cannot be looked at', { path: join(base, path), reason: String(fault) });
      return null;
    }
  };

  /** Directories that could not be read; each is told once. */
  const unreadable = new Set<string>();

  const read = async (directory: string): Promise<Names | undefined | null> => {
    try {
      const names = await readNames(join(base, directory));
      unreadable.delete(directory);
      return names;
    } catch (fault) {
      if (unreadable.has(directory)) return null;
      unreadable.add(directory);
      log('warn', 'a watched directory cannot be read; what is known of it stays', { path: join(base, directory), reason: String(fault) });
      return null;
    }
  };

  const compare = async (directory: string, { files, directories }: Names, round: Round): Promise<string[]> => {
    const covered = new Set(files.map((name) => childOf(directory, name)).filter(scope.covers));
    const entered = directories.map((name) => childOf(directory, name)).filter(scope.enters);
    const before = known.names(directory);
    const vanished = [...before.files].map((name) => childOf(directory, name)).filter((path) => !covered.has(path));
    const inner = new Set(entered);
    for (const path of vanished) note(path, undefined, round);
    for (const name of [...before.directories]) if (!inner.has(childOf(directory, name))) noteGone(childOf(directory, name), round);
    await boundedMap([...covered], LOOKS_AT_ONCE, async (path) => {
      const seen = isStopped() ? null : await look(path);
      if (seen !== null) note(path, seen, round);
    });
    return entered;
  };

  const scan = async (start: string, round: Round): Promise<boolean> => {
    const waiting = [start];
    for (let directory = waiting.pop(); directory !== undefined && !isStopped(); directory = waiting.pop()) {
      hints?.open(directory);
      const names = await read(directory);
      if (names) for (const inner of await compare(directory, names, round)) waiting.push(inner);
      else if (names === undefined) {
        if (directory === '') return false;
        noteGone(directory, round);
      }
    }
    return true;
  };

  return {
    scan,
    look,
    note,
    async examine(directory, name, round) {
      const path = childOf(directory, name);
      const marked = scope.markedBy(name);
      if (marked !== undefined) return pending.unpark(childOf(directory, marked));
      const seen = await look(path);
      if (seen === null) return;
      if (seen?.kind === 'directory') {
        if (known.get(path) !== undefined) note(path, undefined, round);
        if (!scope.enters(path)) return;
        hints?.close(path); // it may be another one of the same name
        await scan(path, round);
        return;
      }
      if (known.hasDirectory(path)) noteGone(path, round);
      if (scope.covers(path)) note(path, seen, round);
    },
  };
};
