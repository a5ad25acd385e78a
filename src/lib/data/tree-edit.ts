import { formatKeyPath, listIndex } from './key-path.ts';
import type { MakeError } from './make-error.ts';

/** A value in a document, as far as a key path cares. */
export interface TreeNode<N> {
  readonly kind: 'map' | 'list' | 'null' | 'scalar' | 'alias';
  /** How many items a list has. */
  readonly size: number;
  /** The value under an own key of a map. */
  member(key: string): N | undefined;
  /** The item of a list. */
  item(index: number): N | undefined;
}

interface EditPlace<N> {
  readonly root: N;
  /** What is changed: a map or a list. */
  readonly container: N;
  /** From the root to the container, both included. */
  readonly trail: readonly N[];
}

/** One change of a document. */
export type TreeEdit<N> = EditPlace<N> &
  (
    | { readonly kind: 'replace'; readonly key: string | number; readonly value: unknown }
    | { readonly kind: 'insert'; readonly key: string; readonly value: unknown }
    | { readonly kind: 'append'; readonly value: unknown }
    | { readonly kind: 'remove'; readonly key: string | number }
  );

/** The value that a path leads to, or undefined where it leads nowhere. */
export const findNode = <N extends TreeNode<N>>(root: N, segments: readonly string[]): N | undefined => {
  let node: N | undefined = root;
  for (const segment of segments) {
    if (node === undefined) return undefined;
    node = step(node, segment)?.node;
  }
  return node;
};

/**
 * The edit that puts a value at a path: missing levels become maps, null on the way counts as missing, the index behind the last item
 * appends. What would lose or invent something is refused.
 */
export const decideSet = <N extends TreeNode<N>>(
  root: N,
  segments: readonly string[],
  value: unknown,
  makeError: MakeError,
): TreeEdit<N> => {
  const trail: N[] = [];
  let container = root;
  for (const [depth, segment] of segments.entries()) {
    if (container.kind !== 'map' && container.kind !== 'list') throw noContainer(container, segments, depth, makeError);
    trail.push(container);
    const place = { root, container, trail };
    const next = step(container, segment);
    const rest = segments.slice(depth + 1);
    if (next === undefined && container.kind === 'map') return { kind: 'insert', ...place, key: segment, value: nest(rest, value) };
    if (next === undefined) {
      if (listIndex(segment, container.size) !== container.size) throw noIndex(container, segments, depth, makeError);
      return { kind: 'append', ...place, value: nest(rest, value) };
    }
    if (rest.length === 0 || next.node.kind === 'null') return { kind: 'replace', ...place, key: next.key, value: nest(rest, value) };
    container = next.node;
  }
  throw emptyPath(makeError);
};

/** The edit that removes what a path leads to, or undefined where nothing is there. */
export const decideDelete = <N extends TreeNode<N>>(
  root: N,
  segments: readonly string[],
  makeError: MakeError,
): TreeEdit<N> | undefined => {
  const trail: N[] = [];
  let container = root;
  for (const [depth, segment] of segments.entries()) {
    const next = step(container, segment);
    if (next === undefined) return undefined;
    trail.push(container);
    if (depth === segments.length - 1) return { kind: 'remove', root, container, trail, key: next.key };
    container = next.node;
  }
  throw emptyPath(makeError);
};

interface Step<N> {
  readonly key: string | number;
  readonly node: N;
}

const step = <N extends TreeNode<N>>(node: N, segment: string): Step<N> | undefined => {
  const key = node.kind === 'list' ? listIndex(segment, node.size) : segment;
  if (key === undefined) return undefined;
  const child = typeof key === 'number' ? node.item(key) : node.kind === 'map' ? node.member(key) : undefined;
  return child && { key, node: child };
};

/** Wraps a value in maps, innermost last; `__proto__` becomes an own key like any other. */
const nest = (segments: readonly string[], value: unknown): unknown =>
  segments.reduceRight<unknown>(
    (inner, key) => Object.defineProperty({}, key, { value: inner, writable: true, enumerable: true, configurable: true }),
    value,
  );

const emptyPath = (makeError: MakeError) =>
  makeError('The key path is empty; name the key or index to change, such as servers.0.name.', { argument: 'key_path' });

const noContainer = <N extends TreeNode<N>>(node: N, segments: readonly string[], depth: number, makeError: MakeError) => {
  const at = depth === 0 ? 'The document' : `The value at ${formatKeyPath(segments.slice(0, depth))}`;
  const what = node.kind === 'null' ? 'null' : node.kind === 'alias' ? 'an alias' : 'a plain value';
  const remedy = node.kind === 'alias' ? 'edit what it stands for' : 'set it to an object first';
  return makeError(`${at} is ${what} and cannot hold ${JSON.stringify(segments[depth])}; ${remedy}.`, {
    key_path: formatKeyPath(segments),
    at: formatKeyPath(segments.slice(0, depth)),
  });
};

const noIndex = <N extends TreeNode<N>>({ size }: N, segments: readonly string[], depth: number, makeError: MakeError) => {
  const list = depth === 0 ? 'The outermost list' : `The list at ${formatKeyPath(segments.slice(0, depth))}`;
  const remedy = size === 0 ? 'use 0 to add the first' : `use 0 to ${size - 1}, -1 for the last, or ${size} to append`;
  return makeError(`${list} has ${size} item${size === 1 ? '' : 's'} and no place ${JSON.stringify(segments[depth])}; ${remedy}.`, {
    key_path: formatKeyPath(segments),
    at: formatKeyPath(segments.slice(0, depth)),
    size,
  });
};
