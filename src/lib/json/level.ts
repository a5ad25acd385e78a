/** An array or object that is not closed yet. */
export interface Level {
  readonly kind: 'array' | 'object';
  /** Where it was opened. */
  readonly offset: number;
  /** The character code that closes it. */
  readonly close: number;
  /** The keys met so far. */
  keys: string[] | Set<string>;
}

/** Searching a list this long costs less than building a set. */
const MAX_LISTED_KEYS = 8;

/** Remembers a key of an object; answers whether it is new. */
export const addKey = (level: Level, key: string): boolean => {
  const { keys } = level;
  if (Array.isArray(keys)) {
    if (keys.includes(key)) return false;
    if (keys.push(key) > MAX_LISTED_KEYS) level.keys = new Set(keys);
    return true;
  }
  return keys.size < keys.add(key).size;
};
