import { lstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeDirectory } from '../../../lib/fs/home-directory.ts';
import { ownDirectoryName } from '../../../lib/fs/own-names.ts';
import { isAbandoned, newPartName } from '../../../lib/fs/part-name.ts';
import { stateDirectory } from '../../../lib/fs/state-directory.ts';

/** A directory in which temporary files may stand or, of a tree, every directory below it as well. */
export interface WrittenPlace {
  readonly directory: string;
  readonly isTree: boolean;
}

/** Places that a process has written down which is gone. */
export interface LeftRecord {
  readonly places: readonly WrittenPlace[];
  /** Call it when nothing is left in any of them. */
  forget(): void;
}

/**
 * Where the processes of this user may have temporary files. A place is written down before the first of them is made, in a file that goes
 * when the process ends; one that is killed leaves it behind, so that the next one knows where to look and need not look anywhere else.
 * Nothing here ever fails: what no record tells of is found later.
 */
export interface WriteRecords {
  note(place: WrittenPlace): void;
  /** What processes have left that are gone; asked of the disk each time. */
  left(): readonly LeftRecord[];
}

/** More are not read at once. */
const MAX_RECORDS = 1_000;

export const openWriteRecords = (directories: () => readonly string[] = usualDirectories): WriteRecords => {
  /** Open for as long as the process lives; null where there can be none. */
  let own: number | null | undefined;

  /** In the first directory that can have it. */
  const open = (): number | null => {
    const directory = directories().find(makePrivate);
    if (directory === undefined) return null;
    const file = join(directory, newPartName());
    const opened = attempt(() => openSync(file, 'ax', 0o600));
    if (opened === undefined) return null;
    process.once('exit', () => {
      attempt(() => unlinkSync(file));
      attempt(() => rmdirSync(directory)); // unless others have theirs there
    });
    return opened;
  };

  return {
    note({ directory, isTree }) {
      if (own === undefined) own = open();
      const file = own;
      if (file !== null) attempt(() => writeSync(file, `${JSON.stringify([directory, isTree])}\n`));
    },
    left: () =>
      directories()
        .filter(isPrivate)
        .flatMap((directory) => (attempt(() => readdirSync(directory)) ?? []).filter(isAbandoned).map((name) => join(directory, name)))
        .slice(0, MAX_RECORDS)
        .map((file) => ({ places: placesIn(file), forget: () => void attempt(() => unlinkSync(file)) })),
  };
};

/** In the state of this user where there is one, so that records survive a restart of the machine; else among temporary files. */
const usualDirectories = (): readonly string[] => [
  join(stateDirectory(process.env, homeDirectory()), ownDirectoryName('writers')),
  join(tmpdir(), ownDirectoryName(`writers-${process.getuid?.() ?? 0}`)),
];

/** Without its parents: whoever has no state does not get one by writing a file. */
const makePrivate = (directory: string): boolean => {
  if (isPrivate(directory)) return true;
  attempt(() => mkdirSync(directory, { mode: 0o700 }));
  return isPrivate(directory);
};

/** What others could write in would lead us wherever they like. */
const isPrivate = (directory: string): boolean => {
  const stats = attempt(() => lstatSync(directory, { throwIfNoEntry: false }));
  if (stats?.isDirectory() !== true) return false;
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
};

/** Behind the last line end stands nothing, or a place that was not written to its end, in which nothing had begun. */
const placesIn = (file: string): readonly WrittenPlace[] =>
  (attempt(() => readFileSync(file, 'utf8')) ?? '').split('\n').slice(0, -1).flatMap(placeIn);

/** Only `note` writes here; a power cut may leave holes. */
const placeIn = (line: string): WrittenPlace[] => {
  const place: unknown = attempt(() => JSON.parse(line));
  const [directory, isTree] = Array.isArray(place) ? place : [];
  return typeof directory === 'string' ? [{ directory, isTree: isTree === true }] : [];
};

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
