import type { KeyPath } from './key-places.ts';

/** What a file, the variables or the flags say, not yet checked. */
export type ConfigTree = { readonly [key: string]: unknown };

/** A value in a tree and the way to it. */
export interface TreeText {
  readonly path: KeyPath;
  readonly text: string;
}

/** Whether a value is a table. */
export const isTable = (value: unknown): value is ConfigTree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a path, or undefined. */
export const valueAt = (tree: unknown, path: KeyPath): unknown =>
  path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isTable(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, tree);

/** Lays one tree over another: tables are merged, everything else is replaced. What should be a table and is not stays, to be told. */
export const overlay = (below: ConfigTree, above: ConfigTree): ConfigTree => {
  const merged: { [key: string]: unknown } = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const old = below[key];
    if (value === undefined) continue;
    if (!isTable(value)) merged[key] = value;
    else if (old === undefined || isTable(old)) merged[key] = overlay(old ?? {}, value);
  }
  return merged;
};

/** The tree with every text replaced that stands at one of these keys (`tokens.*.secret`). */
export const rewriteTexts = <T>(tree: T, keys: readonly string[], rewrite: (text: string, path: KeyPath) => string): T =>
  keys.reduce<unknown>((changed, key) => rewriteAt(changed, key.split('.'), [], rewrite), tree) as T; // texts become texts

const rewriteAt = (
  value: unknown,
  [step, ...rest]: readonly string[],
  path: KeyPath,
  rewrite: (text: string, path: KeyPath) => string,
): unknown => {
  if (step === undefined) return typeof value === 'string' ? rewrite(value, path) : value;
  if (Array.isArray(value)) return step === '*' ? value.map((item, at) => rewriteAt(item, rest, [...path, at], rewrite)) : value;
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, step === '*' || step === key ? rewriteAt(each, rest, [...path, key], rewrite) : each]),
  );
};

/** The texts that stand at these keys. */
export const textsAt = (tree: unknown, keys: readonly string[]): readonly TreeText[] => {
  const found: TreeText[] = [];
  rewriteTexts(tree, keys, (text, path) => {
    found.push({ path, text });
    return text;
  });
  return found;
};

/** A path as people write it: `tokens[0].name`. */
export const keyName = (path: KeyPath): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
