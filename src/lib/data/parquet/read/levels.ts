import { readHybrid, type WholeNumbers } from './hybrid.ts';

/** How deep the entries of a page are repeated or defined; undefined where all have the same level. */
export type Levels = Uint8Array | Uint16Array | undefined;

/** The levels of a page, each no higher than the schema allows. */
export const readLevels = (bytes: Uint8Array, highest: number, count: number): Levels => {
  if (highest === 0) return undefined;
  const levels = highest < 256 ? new Uint8Array(count) : new Uint16Array(count);
  readHybrid(bytes, 0, { width: bitWidth(highest), highest, words: 'a level is higher than the schema allows' }, levels);
  return levels;
};

/** How many levels are the given one. */
export const countLevel = (levels: WholeNumbers, wanted: number): number => {
  let found = 0;
  for (let index = 0; index < levels.length; index += 1) if (levels[index] === wanted) found += 1;
  return found;
};

const bitWidth = (highest: number): number => 32 - Math.clz32(highest);
