import type { Dirent } from 'node:fs';
import type { EntryKind, Grant } from '../../core/files.ts';
import type { RawName } from './raw-names.ts';
import { type OpenedDirectory, openWalked, type WalkedDirectory } from './walk-directory.ts';
import { attempt, pickSteps, type Steps } from './walk-steps.ts';
import { openTally } from './walk-tally.ts';

export type { WalkedDirectory } from './walk-directory.ts';

/** What a walk is for. Names are single names; everything is told in the order of the paths as texts. */
export interface Visitor {
  /** Files of ours are told, too: for work that must not leave them behind. Everybody else never sees them. */
  readonly seesOwn?: true;
  /** Whether an entry is to be told; asked while a directory is read, before anything else is done for it. */
  wants(name: string, kind: EntryKind, directory: WalkedDirectory): boolean;
  /** Whether a directory is to be walked. Links never are. */
  enters(name: string, parent: WalkedDirectory): boolean;
  /** Asked once a directory was read, before anything of it is told; `false` leaves everything in it out. */
  begin?(directory: WalkedDirectory, entries: readonly Dirent[]): boolean;
  /** An entry that is wanted. `again`: not finished with it, tell it once more after a pause; `end`: the walk may end here. */
  entry(name: string, kind: EntryKind, directory: WalkedDirectory): 'again' | 'end' | undefined;
  /** Takes files instead of `entry`, many at a time: where each takes little time, the calls in between count. */
  files?(run: FileRun): 'again' | 'end' | undefined;
  /** After everything below a directory that was walked from its beginning. */
  leave?(directory: WalkedDirectory): void;
  /** Takes what has no name as text, and is wanted or entered, instead of having it told as unreadable. */
  raw?(name: RawName, directory: WalkedDirectory): void;
  /** A directory, or a name that is no text, which has to be left out. `relative` has no `/` at its end. */
  unreadable(relative: string, fault: unknown): void;
}

/** Wanted files that stand one behind the other in a directory: `steps` from `next` to `until`. Whoever takes one raises `next`. */
export interface FileRun {
  readonly directory: WalkedDirectory;
  readonly steps: readonly string[];
  next: number;
  readonly until: number;
}

/** A part of a tree that can be walked on its own, on any thread: a directory with all below it, or some steps of it. */
export interface WalkPart extends Partial<Steps> {
  readonly relative: string;
}

/** A walk under way. Holds directories open where the grant says so: dispose it unless it is done. */
export interface Walk extends Disposable {
  /** Goes on until all is told, the work is stopped, or `mustPause` says so; tells whether it is over. */
  run(mustPause?: () => boolean): boolean;
  /** Ends the walk here and gives what is left of it, in order. */
  rest(): WalkPart[];
}

interface Frame extends Steps {
  readonly directory: OpenedDirectory;
  /** Not only some steps of the directory. */
  readonly isWhole: boolean;
  next: number;
  until: number;
}

/** How many steps go between two looks at the stop flag and the clock. */
const STEPS_BETWEEN_LOOKS = 64;

/** The place behind the files that begin with the next step; not so far that nobody looks at the clock in between. */
const endOfFiles = ({ steps, kinds, next }: Frame): number => {
  const most = Math.min(steps.length, next + STEPS_BETWEEN_LOOKS);
  let end = next + 1;
  while (end < most && steps[end]?.endsWith('/') === false && kinds?.has(steps[end] ?? '') !== true) end += 1;
  return end;
};

/**
 * Walks parts of a tree one after the other, by synchronous calls and callbacks: bulk work costs a fraction of what promises cost.
 * The kinds of entries come with their names; nothing is asked twice. Memory holds the names of one path's directories.
 */
export const createWalk = (grant: Grant, visitor: Visitor, parts: readonly WalkPart[] = [{ relative: '' }]): Walk => {
  const tally = openTally(grant);
  const waiting = [...parts].reverse();
  const frames: Frame[] = [];
  let steps = 0;

  const open = ({ relative, steps, kinds }: WalkPart): void => {
    const opened = attempt(visitor, relative, () => openWalked(grant.root, relative, grant.byHandles, grant.shut));
    if (opened === undefined) return;
    if (steps === undefined) push(opened);
    else frames.push({ directory: opened, steps, ...(kinds && { kinds }), isWhole: false, next: 0, until: 0 });
  };

  const push = (directory: OpenedDirectory): void => {
    const entries = attempt(visitor, directory.relative, directory.read);
    if (entries === undefined) directory[Symbol.dispose]();
    else frames.push({ directory, ...pickSteps(directory, entries, visitor), isWhole: true, next: 0, until: 0 });
  };

  /** Does the next step of a frame. */
  const advance = (frame: Frame): 'again' | 'end' | undefined => {
    const step = frame.steps[frame.next];
    if (step === undefined) {
      frames.pop();
      if (frame.isWhole) visitor.leave?.(frame.directory);
      frame.directory[Symbol.dispose]();
      return undefined;
    }
    if (step.endsWith('/')) {
      frame.next += 1;
      const name = step.slice(0, -1);
      const inner = attempt(visitor, frame.directory.relative + step, () => frame.directory.enter(name));
      if (inner !== undefined) push(inner);
      return undefined;
    }
    const kind = frame.kinds?.get(step) ?? 'file';
    if (kind === 'file' && visitor.files !== undefined) return tellFiles(frame, visitor.files);
    const answer = visitor.entry(step, kind, frame.directory);
    if (answer !== 'again') frame.next += 1;
    return answer;
  };

  /** Tells the files of a frame up to its next directory or other entry. */
  const tellFiles = (frame: Frame, tell: NonNullable<Visitor['files']>): 'again' | 'end' | undefined => {
    const from = frame.next;
    if (frame.until <= from) frame.until = endOfFiles(frame);
    const answer = tell(frame);
    steps += frame.next - from - (answer === undefined ? 1 : 0); // one is counted as the step of the frame
    return answer;
  };

  const close = () => {
    for (const { directory } of frames.splice(0).reverse()) directory[Symbol.dispose]();
    waiting.length = 0;
  };

  const count = () => {
    tally.add(steps, 0);
    steps = 0;
  };

  const run = (mustPause: () => boolean): boolean => {
    for (;;) {
      const frame = frames.at(-1);
      if (frame === undefined) {
        const part = waiting.pop();
        if (part === undefined) return true;
        open(part);
      } else {
        const answer = advance(frame);
        if (answer !== undefined) return answer === 'end' || tally.isStopped();
      }
      steps += 1;
      if (steps < STEPS_BETWEEN_LOOKS) continue;
      count();
      if (tally.isStopped()) return true;
      if (mustPause()) return false;
    }
  };

  return {
    run(mustPause = () => false) {
      const isOver = run(mustPause);
      count();
      if (isOver) close();
      return isOver;
    },
    rest() {
      const left = frames.map(
        ({ directory, steps, kinds, next }): WalkPart => ({
          relative: directory.relative,
          steps: steps.slice(next),
          ...(kinds !== undefined && { kinds }),
        }),
      );
      const parts = [...left.reverse().filter(({ steps }) => steps?.length !== 0), ...waiting.toReversed()];
      close();
      return parts;
    },
    [Symbol.dispose]: close,
  };
};
