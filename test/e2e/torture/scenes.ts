import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInstance } from '../../../src/app/create.ts';
import type { Example } from '../../../src/core/example.ts';
import type { Outcome } from '../../../src/core/result.ts';
import { type Snapshot, snapshot } from '../../laws/disk.ts';
import type { Scene } from '../../support/trials/writing-actions.ts';

/** How a try went. */
export interface Tried {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly outcome: Outcome | undefined;
}

export interface TryOptions {
  /** One moment for all tries, so that names made of it are the same. */
  readonly nowMs: number;
  /** Called around the command, after the scene was set. */
  readonly worsen?: () => void;
  readonly mend?: () => void;
}

/** Runs an example in a fresh room. */
export const tryOut = async (room: string, { name, example }: Scene, { nowMs, worsen, mend }: TryOptions): Promise<Tried> => {
  setScene(room, example);
  const clock = { now: () => nowMs, monotonic: () => performance.now() };
  await using factotum = createInstance({ cwd: room, log: { level: 'silent' }, clock });
  try {
    await factotum.run(example.after ?? []);
    const before = look(room);
    worsen?.();
    let outcome: Outcome | undefined;
    try {
      [outcome] = (await factotum.run([[name, example.args]])).results;
    } finally {
      mend?.();
    }
    return { before, after: look(room), outcome };
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
};

/** A day long ago, so that archives of one scene are the same. */
const SCENE_TIME = new Date('2026-01-01T00:00:00Z');

const setScene = (room: string, { files = {}, dirs = [], links = {} }: Example): void => {
  mkdirSync(room);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(room, path)), { recursive: true });
    writeFileSync(join(room, path), typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
    utimesSync(join(room, path), SCENE_TIME, SCENE_TIME);
  }
  for (const path of dirs) mkdirSync(join(room, path), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(room, path));
  // Archives hold the times of directories as well.
  for (const [path, { kind }] of snapshot(room)) if (kind === 'dir') utimesSync(join(room, path), SCENE_TIME, SCENE_TIME);
};

/** What is there by path; random parts of names are left out. */
const look = (room: string): Snapshot =>
  new Map([...snapshot(room)].map(([path, stood]) => [path.replaceAll(/[0-9a-f]{8,}/g, '*'), stood]));

const stoodAt = (at: Snapshot, path: string): string | undefined => {
  const stood = at.get(path);
  return stood && `${stood.kind} ${stood.content}`;
};

/** What an action does where nothing is wrong, done twice: what holds random bytes, such as what is encrypted, is another each time. */
export interface Healthy {
  readonly whole: Snapshot;
  isVariable(path: string): boolean;
}

export const healthyOf = (once: Tried, again: Tried): Healthy => ({
  whole: once.after,
  isVariable: (path) => stoodAt(once.after, path) !== stoodAt(again.after, path),
});

/**
 * What is on the disk and should not be, in words: each file is the old one or the whole new one, and what is ok is done but for what a note
 * tells. A pack of many files may hold those that could be read, as docs/explanation/failure.md says, where the error names the others.
 */
export const faultsOf = ({ before, after, outcome }: Tried, { whole, isVariable }: Healthy): string[] => {
  const paths = new Set([...before.keys(), ...after.keys(), ...whole.keys()]);
  const isToldToLack = outcome?.error?.context.summary !== undefined;
  return [...paths].flatMap((path) => {
    const [was, is, wanted] = [before, after, whole].map((each) => stoodAt(each, path));
    const isDone = is === wanted || (is !== undefined && wanted !== undefined && (isVariable(path) || isToldToLack) && is !== was);
    if (outcome?.status === 'ok' && outcome.notes === undefined) return isDone ? [] : [`it is ok, but ${path} is ${is}`];
    return isDone || is === was ? [] : [`it failed and left ${path} as ${is}`];
  });
};
