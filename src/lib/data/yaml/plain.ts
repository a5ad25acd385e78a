import type { Node, Pair, YAMLMap } from 'yaml';
import type { Aliases } from './aliases.ts';
import type { Yaml, YamlNaming } from './load.ts';

/** Each use of an anchor weighs as much as the uses behind it. */
const MAX_ALIASES = 100;
/** What aliases may expand a document to, counted in characters. */
const MAX_WEIGHT = 64 * 1024 * 1024;
/** What a value that is no text weighs. */
const ATOM_WEIGHT = 8;

interface Weighed {
  readonly value: unknown;
  readonly weight: number;
  /** The most that aliases in it count. */
  readonly aliases: number;
}

/** The document as plain data: aliases and merges resolved, integers beyond 2^53 as texts, a file without a document as an empty map. */
export const plainValue = (yaml: Yaml, contents: Node | null, aliases: Aliases, { name, makeError }: YamlNaming): unknown => {
  /** Values with an anchor, so that their aliases share them. */
  const made = new Map<Node, Weighed>();
  const uses = new Map<Node, number>();

  const refuse = (words: string) => makeError(`${name} cannot be read: ${words}; write the values out.`, { path: name });

  /** The value that an alias stands for, or what is written there itself. */
  const follow = (value: unknown): { readonly node: Node | null; readonly count: number } => {
    if (!yaml.isAlias(value)) return { node: yaml.isNode(value) ? value : null, count: 0 };
    const target = aliases.get(value);
    if (target === undefined) throw refuse(`Unresolved alias (the anchor must be set before the alias): ${value.source}`);
    const known = made.get(target) ?? plain(target); // what is not made yet is a key
    const used = (uses.get(target) ?? 0) + 1;
    uses.set(target, used);
    const count = used * Math.max(1, known.aliases);
    if (count > MAX_ALIASES) throw refuse('Excessive alias count indicates a resource exhaustion attack');
    return { node: target, count };
  };

  const plain = (value: unknown): Weighed => {
    const { node, count } = follow(value);
    const known = node === null ? undefined : made.get(node);
    if (known !== undefined) return { ...known, aliases: count };
    const fresh = yaml.isMap(node) ? plainMap(node) : yaml.isSeq(node) ? plainList(node.items) : plainScalar(yaml, node);
    if (node?.anchor !== undefined) made.set(node, fresh);
    return fresh;
  };

  const plainList = (items: readonly unknown[]): Weighed => {
    const total = createTotal();
    const value = items.map((item) => total.add(plain(item), 0));
    return { value, ...total.sum() };
  };

  const plainMap = (map: YAMLMap): Weighed => {
    const copy: Record<string, unknown> = {};
    const total = createTotal();
    for (const pair of map.items) {
      if (isMerge(yaml, pair)) mergeInto(copy, pair.value, total);
      else {
        const key = String(yaml.isScalar(pair.key) ? pair.key.value : pair.key);
        put(copy, key, total.add(plain(pair.value), key.length));
      }
    }
    return { value: copy, ...total.sum() };
  };

  /** Own keys win, whether they come before or after. */
  const mergeInto = (copy: Record<string, unknown>, value: unknown, total: Total): void => {
    const { node } = follow(value);
    for (const source of yaml.isSeq(node) ? node.items : [yaml.isAlias(value) ? node : value]) {
      const merged = plain(source);
      if (!isPlainMap(merged.value)) throw refuse('Merge sources must be maps or map aliases');
      total.add(merged, 0);
      for (const key of Object.keys(merged.value)) if (!Object.hasOwn(copy, key)) put(copy, key, merged.value[key]);
    }
  };

  const createTotal = (): Total => {
    let weight = ATOM_WEIGHT;
    let most = 0;
    return {
      add(part, more) {
        weight += part.weight + more;
        most = Math.max(most, part.aliases);
        if (weight > MAX_WEIGHT)
          throw makeError(`The aliases of ${name} expand to more than ${MAX_WEIGHT} characters; write less with them.`, {
            path: name,
            limit: MAX_WEIGHT,
          });
        return part.value;
      },
      sum: () => ({ weight, aliases: most }),
    };
  };

  return contents === null ? {} : plain(contents).value;
};

/** Adds up what is in a collection. */
interface Total {
  /** Gives the value back. */
  add(part: Weighed, more: number): unknown;
  sum(): Omit<Weighed, 'value'>;
}

const plainScalar = (yaml: Yaml, node: Node | null): Weighed => {
  const value = yaml.isScalar(node) ? node.value : null;
  if (typeof value === 'string') return { value, weight: value.length + ATOM_WEIGHT, aliases: 0 };
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  return { value: isWhole ? wholeNumber(value) : value, weight: ATOM_WEIGHT, aliases: 0 };
};

/** Quoted, it is a key like any other. */
const isMerge = (yaml: Yaml, { key }: Pair): boolean => yaml.isScalar(key) && key.value === '<<' && (key.type ?? 'PLAIN') === 'PLAIN';

const isPlainMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const put = (into: Record<string, unknown>, key: string, value: unknown): void => {
  // By assignment it would change the prototype.
  if (key === '__proto__') Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
  else into[key] = value;
};

/** Whether nothing is written in a document, so that a first key finds room; it may still mean null. */
export const isEmpty = ({ contents }: { readonly contents: Node | null }): boolean =>
  contents === null || ('value' in contents && contents.value === null && contents.range?.[0] === contents.range?.[1]);

/** Whole numbers that a double cannot tell apart come out as texts. */
const wholeNumber = (value: unknown): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) || /e/.test(String(value)) ? number : String(value);
};
