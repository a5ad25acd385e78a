import { ArgumentException } from '../../core/errors.ts';

/** One of several parts that all paths are divided into. */
export interface Slice {
  /** Counted from 1. */
  readonly part: number;
  readonly of: number;
}

const MAX_PARTS = 1_000_000;

/** Reads `3/30`: the third of thirty parts. */
export const readSlice = (subset: string): Slice => {
  const [, part, of] = /^(\d{1,7})\/(\d{1,7})$/.exec(subset.trim()) ?? [];
  const slice = { part: Number(part), of: Number(of) };
  if (slice.part >= 1 && slice.part <= slice.of && slice.of <= MAX_PARTS) return slice;
  throw new ArgumentException(
    `The subset ${JSON.stringify(subset.slice(0, 40))} is none; give one like "3/30", the third of thirty parts.`,
    {
      context: { argument: 'subset' },
    },
  );
};

/** Whether a path is in a part: always in the same one, whatever else is in the tree. */
export const isInSlice = (path: string, { part, of }: Slice): boolean => hashOf(path) % of === part - 1;

/** FNV-1a over the path's characters, mixed so that paths which differ in little spread too. */
const hashOf = (path: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < path.length; at += 1) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
};
