import type { TreeNode } from './tree-edit.ts';

/** Plain data as a key path walks it: own keys only. */
export interface PlainNode extends TreeNode<PlainNode> {
  readonly value: unknown;
}

/** The value as a node of a tree. */
export const plainNode = (value: unknown): PlainNode => {
  const isList = Array.isArray(value);
  const isMap = typeof value === 'object' && value !== null && !isList;
  return {
    value,
    kind: isList ? 'list' : isMap ? 'map' : value === null ? 'null' : 'scalar',
    size: isList ? value.length : 0,
    member: (key) => (isMap && Object.hasOwn(value, key) ? plainNode(Reflect.get(value, key)) : undefined),
    item: (index) => (isList && index < value.length ? plainNode(value[index]) : undefined),
  };
};
