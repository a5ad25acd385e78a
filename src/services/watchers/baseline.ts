import type { Log } from '../../core/ports.ts';
import type { SeenFile, Watcher } from '../engine/port/shelves.ts';
import { createComparison } from './disk/comparison.ts';
import { createKnownTree } from './disk/known-tree.ts';
import { createScope } from './disk/scope.ts';
import { findPlace } from './disk/watched-place.ts';
import { createPending } from './events/pending.ts';
import { notesOf, rulesOf } from './watch-notes.ts';

/** The files that a watcher would know if it had watched for ever: those that are there before it starts are no news. */
export const readBaseline = async (stored: Watcher, log: Log): Promise<readonly SeenFile[]> => {
  const { base, only } = await findPlace(stored.path, notesOf(stored).isFile);
  const pending = createPending();
  const scope = createScope({ ...rulesOf(stored), only });
  await createComparison({ base, scope, known: createKnownTree(), pending, log }).scan('', { now: 0, isReplayed: false });
  return pending.quiet(0, Number.POSITIVE_INFINITY, createKnownTree()).flatMap(([path, { fingerprint }]) => {
    return fingerprint === null ? [] : [{ path, fingerprint }];
  });
};
