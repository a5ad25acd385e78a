import { JsonActionException } from '../../core/errors.ts';

/** What a rewriting does at each place of a value; what it leaves out stays as it is. */
export interface Rewriting {
  /** What stands for a text; its answer is not looked into again. */
  text(value: string): unknown;
  /** What stands for a key. */
  key?(key: string): string;
  /** Asked for each value under a key before it is entered; an answer other than the value itself is final. */
  entry?(key: string, value: unknown): unknown;
  /** What stands for a list; its answer is entered. */
  list?(value: readonly unknown[]): readonly unknown[];
  /** What stands for an object that is neither a list nor plain; an answer other than the object itself is entered. */
  instance?(value: object): unknown;
}

type PlainObject = { [key: string]: unknown };

/** A request nests 64 lists, each a few levels of its result: what is deeper than this contains itself. */
const MAX_DEPTH = 1_000;

/**
 * Rewrites the texts of a JSON value. Gives back the same reference where nothing changed and copies only what leads to a change;
 * `__proto__` is an ordinary key.
 */
export const rewriteJson = (root: unknown, rewriting: Rewriting): unknown => {
  const rewrite = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return rewriting.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) throw tooDeep();
    if (Array.isArray(value)) return rewriteList(rewriting.list === undefined ? value : rewriting.list(value), depth);
    if (isPlain(value)) return rewriteObject(value, depth);
    const shown = rewriting.instance === undefined ? value : rewriting.instance(value);
    return shown === value ? value : rewrite(shown, depth + 1);
  };

  const rewriteList = (list: readonly unknown[], depth: number): unknown => {
    let copy: unknown[] | undefined;
    for (let at = 0; at < list.length; at += 1) {
      const value = rewrite(list[at], depth + 1);
      if (Object.is(value, list[at])) continue;
      copy ??= list.slice();
      copy[at] = value;
    }
    return copy ?? list;
  };

  const rewriteObject = (object: Readonly<PlainObject>, depth: number): unknown => {
    let copy: PlainObject | undefined;
    for (const key of Object.keys(object)) {
      const given = object[key];
      const entry = rewriting.entry === undefined ? given : rewriting.entry(key, given);
      const value = Object.is(entry, given) ? rewrite(given, depth + 1) : entry;
      const name = rewriting.key === undefined ? key : rewriting.key(key);
      if (Object.is(value, given) && name === key) continue;
      copy ??= { ...object };
      if (name !== key) delete copy[key];
      setOwn(copy, name, value);
    }
    return copy ?? object;
  };

  return rewrite(root, 0);
};

const isPlain = (value: object): value is PlainObject => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Assignment would call the setter that every object inherits under `__proto__`. */
const setOwn = (target: PlainObject, key: string, value: unknown): void => {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
};

const tooDeep = () =>
  new JsonActionException(`A value nests deeper than ${MAX_DEPTH} levels or contains itself; hand over plain JSON data.`);
