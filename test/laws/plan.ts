import { dirname, isAbsolute, relative } from 'node:path';
import { outcomesIn } from '../../src/core/outcomes.ts';
import type { RunResult } from '../../src/core/result.ts';
import type { ChangeKind } from './disk.ts';

/** What a dry run foretold. */
export interface Foretold {
  /** What would become of each path in the end, relative to the root. */
  readonly changes: ReadonlyMap<string, ChangeKind>;
  /** Targets that lie outside the root. */
  readonly outside: readonly string[];
  readonly isComplete: boolean;
  /** Paths that would be deleted and made anew: what comes back may look as before, down to the number of its inode. */
  readonly madeAnew?: ReadonlySet<string>;
}

/** Adds the effects of a dry run up, those of nested lists too. */
export const foretold = (result: RunResult, root: string): Foretold => {
  const entries = outcomesIn(result);
  const effects = entries.flatMap(({ plan }) => plan?.effects ?? []).filter(({ kind }) => kind !== 'network' && kind !== 'execute');
  const changes = new Map<string, ChangeKind>();
  const madeAnew = new Set<string>();
  for (const { kind, target } of effects) {
    if (kind !== 'create' && kind !== 'overwrite' && kind !== 'delete') continue;
    const path = relative(root, target);
    if (changes.get(path) === 'delete' && kind === 'create') madeAnew.add(path);
    add(changes, path, kind);
  }
  return {
    changes,
    madeAnew,
    outside: effects.flatMap(({ target }) => (isInside(relative(root, target)) ? [] : [target])),
    isComplete: entries.every(({ plan }) => plan?.complete !== false),
  };
};

const isInside = (path: string): boolean => path === '' || !(isAbsolute(path) || path.split('/')[0] === '..');

/** One effect after another on the same path: only what remains in the end can be seen on the disk. */
const add = (changes: Map<string, ChangeKind>, path: string, kind: ChangeKind) => {
  const earlier = changes.get(path);
  if (earlier === 'create' && kind === 'delete') changes.delete(path);
  else if (earlier === 'create') changes.set(path, 'create');
  else if (earlier === 'delete' && kind === 'create') changes.set(path, 'overwrite');
  else changes.set(path, kind);
};

/** How the plan differs from what happened, in words; an incomplete plan may leave out but not invent. */
export const differences = ({ changes: planned, isComplete, madeAnew }: Foretold, done: ReadonlyMap<string, ChangeKind>): string[] => {
  const invented = [...planned]
    .filter(([path, kind]) => done.get(path) !== kind && !(done.get(path) === undefined && madeAnew?.has(path)))
    .map(([path, kind]) => `planned to ${kind} ${path}, but it came to: ${done.get(path) ?? 'nothing'}`);
  const missed = [...done]
    .filter(([path, kind]) => !isCovered(path, kind, planned))
    .map(([path, kind]) => `did ${kind} ${path} without planning it`);
  return isComplete ? [...invented, ...missed] : invented;
};

/** A directory that is created, replaced or deleted stands for what is in it; a file in a new directory stands for that directory. */
const isCovered = (path: string, kind: ChangeKind, planned: ReadonlyMap<string, ChangeKind>): boolean => {
  if (planned.get(path) === kind) return true;
  for (let above = dirname(path); above !== '.'; above = dirname(above))
    if (planned.get(above) === kind || planned.get(above) === 'overwrite') return true;
  return kind !== 'overwrite' && [...planned].some(([each, other]) => other === kind && each.startsWith(`${path}/`));
};
