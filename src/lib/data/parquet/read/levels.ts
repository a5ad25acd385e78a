import { readHybrid } from './hybrid.ts';

/** How deep the entries of a page are repeated or defined. */
export interface Levels {
  /** One for each entry; undefined where all have the only level there is. */
  readonly each: Uint8Array | Uint16Array | undefined;
  /** How many entries have the level that was asked for. */
  readonly matches: number;
  readonly bytes: number;
}

/** The levels of a page, each no higher than the schema allows, and how many of them are the counted one. */
export const readLevels = (bytes: Uint8Array, { highest, counted, count }: LevelForm): Levels => {
  if (highest === 0) return onlyLevel(count);
  const each = highest < 256 ? new Uint8Array(count) : new Uint16Array(count);
  const matches = readHybrid(
    bytes,
    0,
    { width: 32 - Math.clz32(highest), highest, words: 'a level is higher than the schema allows', counted },
    each,
  );
  return { each, matches, bytes: each.byteLength };
};

/** What the levels of a page are like. */
export interface LevelForm {
  readonly highest: number;
  readonly counted: number;
  /** How many entries there are. */
  readonly count: number;
}

/** Levels of a column where nothing can be missing or repeated, or of a page without entries. */
export const onlyLevel = (count: number): Levels => ({ each: undefined, matches: count, bytes: 0 });
