import type { Description } from '../../../core/description.ts';

type Ranked = Pick<Description, 'name' | 'aliases' | 'group' | 'family' | 'summary'>;

/** The actions that speak of a query, the best first: those that more of its words fit, then those whose names do. */
export const rankActions = <A extends Ranked>(query: string, actions: readonly A[]): A[] => {
  const wanted = [...new Set(wordsOf(query))].slice(0, MAX_WORDS);
  if (wanted.length === 0) return [...actions];
  return actions
    .map((action) => ({ action, ...judge(action, wanted) }))
    .filter(({ met }) => met > 0)
    .sort((a, b) => b.met - a.met || b.score - a.score || compare(a.action.name, b.action.name))
    .map(({ action }) => action);
};

const MAX_WORDS = 16;
/** Every name begins with it, and words that stand in every other sentence tell nothing apart. */
const SILENT = new Set(['fa', 'a', 'an', 'the', 'of', 'to', 'in', 'and', 'or', 'all', 'with', 'for', 'from', 'is', 'are', 'it']);

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !SILENT.has(word));

const judge = ({ name, aliases, group, family, summary }: Ranked, wanted: readonly string[]) => {
  const places = [
    { words: wordsOf(name), weight: 8 },
    { words: aliases.flatMap(wordsOf), weight: 6 },
    { words: wordsOf(`${group} ${family}`), weight: 3 },
    { words: wordsOf(summary), weight: 2 },
  ];
  let met = 0;
  let score = 0;
  for (const word of wanted) {
    const best = Math.max(...places.map(({ words, weight }) => weight * Math.max(0, ...words.map((other) => likeness(word, other)))));
    if (best > 0) met += 1;
    score += best;
  }
  // Of names that fit alike, the shorter says less beside it.
  return { met, score: score - wordsOf(name).length / 100 };
};

/** 1 for the same word, less for words of one stem: `copy`, `copies`, `copying`. */
const likeness = (one: string, other: string): number => {
  if (one === other) return 1;
  const shorter = Math.min(one.length, other.length);
  let same = 0;
  while (same < shorter && one[same] === other[same]) same += 1;
  return same >= 3 && same >= shorter - 1 ? 0.6 : 0;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
