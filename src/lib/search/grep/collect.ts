import { relative, sep } from 'node:path';
import { type Harvest, placeIn } from './harvest.ts';
import { addMatches, type GrepMatch } from './matches.ts';
import type { Place } from './query.ts';

/** Takes what a search finds, in the order of paths and lines. */
export interface Collector<V> {
  readonly count: number;
  add(harvest: Harvest): void;
  /** Leaves out all behind so many; tells where the last one that stays is. */
  cut(count: number): Place | undefined;
  value(): V;
}

/** As objects. `shown` is the root as the caller calls it. */
export const collectMatches = (shown: string, maxLineChars: number): Collector<GrepMatch[]> => {
  const matches: GrepMatch[] = [];
  return {
    get count() {
      return matches.length;
    },
    add: (harvest) => addMatches(matches, harvest, shown, maxLineChars),
    cut(count) {
      if (matches.length > count) matches.length = count;
      const last = matches.at(-1);
      return last && { path: relative(shown, last.path).replaceAll(sep, '/'), line: last.line };
    },
    value: () => matches,
  };
};

/** As a list of matches in JSON text, for a query that asks for that; `made` makes the value from its pieces. */
export const collectJson = <V>(made: (pieces: Uint8Array[]) => V): Collector<V> => {
  const harvests: Harvest[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(harvest) {
      if (harvest.lines.length === 0) return;
      harvests.push(harvest);
      count += harvest.lines.length;
    },
    cut(wanted) {
      while (count > wanted) {
        const harvest = harvests.pop();
        if (harvest === undefined) break;
        count -= harvest.lines.length;
        if (count < wanted) this.add(firstOf(harvest, wanted - count));
      }
      const last = harvests.at(-1);
      return last && placeIn(last, last.lines.length - 1);
    },
    value() {
      const pieces = harvests.map(({ text }) => text);
      const [first] = pieces;
      if (first === undefined) return made([Buffer.from('[]\n')]);
      first[0] = OPENING; // instead of the comma
      return made([...pieces, Buffer.from(']\n')]);
    },
  };
};

const OPENING = 0x5b;

const firstOf = (harvest: Harvest, count: number): Harvest => ({
  ...harvest,
  lines: harvest.lines.slice(0, count),
  text: harvest.text.subarray(0, harvest.ends[count - 1]),
});
