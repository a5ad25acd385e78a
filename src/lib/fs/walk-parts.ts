import type { Grant } from '../../core/files.ts';
import type { Visitor, WalkPart } from './walk.ts';
import { openWalked } from './walk-directory.ts';
import { attempt, pickSteps, type Steps } from './walk-steps.ts';

/** Entries of one directory that are told one after the other without a directory in between stay together up to this number. */
const MAX_NAMES_PER_PART = 256;
/** A tree that has not branched by then is a chain: walking it is not work for many. */
const MAX_LEVELS = 16;

/**
 * Divides parts of a tree, in their order, until there are as many as wanted or nothing is left to divide. The last ones are divided
 * first: whoever takes the parts in order comes to the small ones at the end, so that all threads end at about the same time.
 */
export const splitParts = (grant: Grant, visitor: Visitor, parts: readonly WalkPart[], wanted: number): WalkPart[] => {
  let split = parts.flatMap((part) => divide(part, wanted));
  for (let level = 0; level < MAX_LEVELS && split.length < wanted; level += 1) {
    let count = split.length;
    const next = split.toReversed().flatMap((part) => {
      if (part.steps !== undefined || count >= wanted) return [part];
      const inner = divide(readPart(grant, visitor, part), wanted);
      count += inner.length - 1;
      return inner.reverse();
    });
    split = next.reverse();
    if (split.every(({ steps }) => steps !== undefined)) break;
  }
  return split;
};

const readPart = (grant: Grant, visitor: Visitor, { relative }: WalkPart): WalkPart => {
  using directory = attempt(visitor, relative, () => openWalked(grant.root, relative, grant.byHandles, grant.shut));
  const entries = directory && attempt(visitor, relative, directory.read);
  return directory === undefined || entries === undefined
    ? { relative, steps: [] }
    : { relative, ...pickSteps(directory, entries, visitor) };
};

/** Each directory is a part of its own, the names between them are others; few names may be much work, so they are spread too. */
const divide = (part: WalkPart, wanted: number): WalkPart[] => {
  const { relative, steps, kinds } = part;
  if (steps === undefined) return [part];
  const namesPerPart = Math.min(Math.ceil(steps.length / wanted), MAX_NAMES_PER_PART);
  const parts: WalkPart[] = [];
  let names: string[] = [];
  const endNames = () => {
    if (names.length > 0) parts.push({ relative, steps: names, ...(kinds && { kinds: kindsAmong(names, kinds) }) });
    names = [];
  };
  for (const step of steps) {
    const isDirectory = step.endsWith('/');
    if (isDirectory || names.length === namesPerPart) endNames();
    if (isDirectory) parts.push({ relative: relative + step });
    else names.push(step);
  }
  endNames();
  return parts;
};

const kindsAmong = (names: readonly string[], kinds: NonNullable<Steps['kinds']>): NonNullable<Steps['kinds']> => {
  const some = names.map((name) => [name, kinds.get(name)] as const);
  return new Map(some.flatMap(([name, kind]) => (kind === undefined ? [] : [[name, kind] as const])));
};
