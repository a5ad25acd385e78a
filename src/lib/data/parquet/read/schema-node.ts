import type { SchemaElement, SchemaTree } from 'hyparquet';
import { leafReader, type ReadStored } from '../from-stored.ts';
import { ParquetFault, WITHOUT_COLUMN } from './unreadable.ts';

/** What a place in the schema holds. Levels count what may be missing (`def`) and what may be repeated (`rep`) down to it. */
export type SchemaNode = Leaf | Structure | List | MapNode | Variant;

interface Place {
  readonly name: string;
  readonly def: number;
  readonly rep: number;
}

/** A column of values. */
export interface Leaf extends Place {
  readonly kind: 'leaf';
  /** Names from the top, for messages and to find its bytes. */
  readonly path: readonly string[];
  readonly element: SchemaElement;
  /** A stored value as JSON. */
  readonly convert: ReadStored;
}

/** Fields beside one another; null below `def`. */
export interface Structure extends Place {
  readonly kind: 'structure';
  readonly fields: readonly SchemaNode[];
}

/** Items: null below `def`, empty below `itemDef`; a further item repeats at `itemRep`. */
export interface List extends Place {
  readonly kind: 'list';
  readonly itemDef: number;
  readonly itemRep: number;
  readonly item: SchemaNode;
}

/** Keys and their values, with the levels of a list. */
export interface MapNode extends Place {
  readonly kind: 'map';
  readonly itemDef: number;
  readonly itemRep: number;
  readonly key: SchemaNode;
  readonly value: SchemaNode;
}

/** A value of any kind, whole or with parts in columns of their own. */
export interface Variant extends Place {
  readonly kind: 'variant';
  /** Inside another one there is none: the outer one's holds. */
  readonly metadata: Leaf | undefined;
  readonly value: Leaf | undefined;
  readonly typed: SchemaNode | undefined;
}

interface Levels {
  readonly def: number;
  readonly rep: number;
}

/** The node of a top column. */
export const columnNode = (tree: SchemaTree): SchemaNode => nodeOf(tree, { def: 0, rep: 0 });

/** The leaves below a node, in order. */
export const leavesOf = (node: SchemaNode): Leaf[] => {
  switch (node.kind) {
    case 'leaf':
      return [node];
    case 'structure':
      return node.fields.flatMap(leavesOf);
    case 'list':
      return leavesOf(node.item);
    case 'map':
      return [...leavesOf(node.key), ...leavesOf(node.value)];
    case 'variant':
      return [node.metadata, node.value, node.typed].flatMap((part) => (part === undefined ? [] : leavesOf(part)));
  }
};

const nodeOf = (tree: SchemaTree, above: Levels): SchemaNode => {
  const { element } = tree;
  if (element.repetition_type !== 'REPEATED') return contentOf(tree, levelsOf(tree, above));
  // Repeated without a list around it: a list all the same, which is never null.
  const item = levelsOf(tree, above);
  return { kind: 'list', name: element.name, ...above, itemDef: item.def, itemRep: item.rep, item: contentOf(tree, item) };
};

const levelsOf = ({ element }: SchemaTree, { def, rep }: Levels): Levels => ({
  def: def + (element.repetition_type === 'REQUIRED' ? 0 : 1),
  rep: rep + (element.repetition_type === 'REPEATED' ? 1 : 0),
});

/** What an element holds, its own repetition left aside. */
const contentOf = (tree: SchemaTree, levels: Levels): SchemaNode => {
  const { element, children } = tree;
  const { name } = element;
  if (children.length === 0) return leafOf(tree, levels, leafReader(element));
  if (element.logical_type?.type === 'VARIANT') return variantOf(tree, levels);
  if (isAnnotated(element, 'MAP') || element.converted_type === 'MAP_KEY_VALUE') return mapOf(tree, levels);
  const [first] = children;
  if (isAnnotated(element, 'LIST') && children.length === 1 && first?.element.repetition_type === 'REPEATED') {
    const item = levelsOf(first, levels);
    const isItem = isItself(first, name);
    const [inner] = first.children;
    return {
      kind: 'list',
      name,
      ...levels,
      itemDef: item.def,
      itemRep: item.rep,
      item: isItem || inner === undefined ? contentOf(first, item) : nodeOf(inner, item),
    };
  }
  demandDistinct(tree);
  return { kind: 'structure', name, ...levels, fields: children.map((child) => nodeOf(child, levels)) };
};

/** Whether the repeated part of a list is the item itself, as old writers have it, and no wrapping. */
const isItself = ({ element, children }: SchemaTree, listName: string): boolean => {
  const [inner] = children;
  if (inner === undefined || children.length > 1) return true;
  if (inner.element.repetition_type === 'REPEATED') return true;
  if (isAnnotated(element, 'LIST') || isAnnotated(element, 'MAP')) return true;
  return element.name === 'array' || element.name === `${listName}_tuple`;
};

const isAnnotated = ({ converted_type, logical_type }: SchemaElement, type: 'LIST' | 'MAP'): boolean =>
  converted_type === type || logical_type?.type === type;

const leafOf = (tree: SchemaTree, levels: Levels, convert: ReadStored): Leaf => {
  const { element, path } = tree;
  if (element.type === undefined) throw new ParquetFault('it has no type', { column: path.join('.'), remedy: WITHOUT_COLUMN });
  return { kind: 'leaf', name: element.name, ...levels, path, element, convert };
};

const mapOf = (tree: SchemaTree, levels: Levels): SchemaNode => {
  const [entries] = tree.children;
  const [key, value] = entries?.children ?? [];
  const isMap = tree.children.length === 1 && entries?.element.repetition_type === 'REPEATED' && entries.children.length === 2;
  if (!isMap || key === undefined || value === undefined)
    throw new ParquetFault('it is a map without keys and values', { column: tree.path.join('.'), remedy: WITHOUT_COLUMN });
  const item = levelsOf(entries, levels);
  return {
    kind: 'map',
    name: tree.element.name,
    ...levels,
    itemDef: item.def,
    itemRep: item.rep,
    key: nodeOf(key, item),
    value: nodeOf(value, item),
  };
};

/** Raw bytes of a variant's parts: what they mean is told by themselves. */
const bytesOf: ReadStored = (value) => value;

const variantOf = (tree: SchemaTree, levels: Levels): Variant => {
  const refuse = (words: string) => new ParquetFault(words, { column: tree.path.join('.'), remedy: WITHOUT_COLUMN });
  const leafCalled = (name: string): Leaf | undefined => {
    const child = tree.children.find(({ element }) => element.name === name);
    if (child === undefined) return undefined;
    if (child.element.type !== 'BYTE_ARRAY' || child.element.repetition_type === 'REPEATED')
      throw refuse(`its field ${name} holds no bytes`);
    return leafOf(child, levelsOf(child, levels), bytesOf);
  };
  const odd = tree.children.find(({ element }) => !VARIANT_FIELDS.has(element.name));
  if (odd !== undefined) throw refuse(`it is a variant with a field ${JSON.stringify(odd.element.name.slice(0, 100))}`);
  demandDistinct(tree);
  const typed = tree.children.find(({ element }) => element.name === 'typed_value');
  return {
    kind: 'variant',
    name: tree.element.name,
    ...levels,
    metadata: leafCalled('metadata'),
    value: leafCalled('value'),
    typed: typed === undefined ? undefined : shreddedOf(typed, levels),
  };
};

const VARIANT_FIELDS: ReadonlySet<string> = new Set(['metadata', 'value', 'typed_value']);

/** The part of a variant that is in columns of its own: fields and items of it are variants again. */
const shreddedOf = (tree: SchemaTree, above: Levels): SchemaNode => {
  const { element, children } = tree;
  const levels = levelsOf(tree, above);
  if (element.repetition_type === 'REPEATED')
    throw new ParquetFault('a part of a variant is repeated', { column: tree.path.join('.'), remedy: WITHOUT_COLUMN });
  if (children.length === 0) {
    if (!mayBeShredded(element))
      throw new ParquetFault('a part of a variant has a type that variants do not have', {
        column: tree.path.join('.'),
        remedy: WITHOUT_COLUMN,
      });
    return leafOf(tree, levels, leafReader(element));
  }
  const [entries] = children;
  const [item] = entries?.children ?? [];
  if (isAnnotated(element, 'LIST') && entries !== undefined && item !== undefined) {
    if (children.length > 1 || entries.children.length > 1 || entries.element.repetition_type !== 'REPEATED')
      throw new ParquetFault('a list in a variant has not three levels', { column: tree.path.join('.'), remedy: WITHOUT_COLUMN });
    const inner = levelsOf(entries, levels);
    return {
      kind: 'list',
      name: element.name,
      ...levels,
      itemDef: inner.def,
      itemRep: inner.rep,
      item: variantOf(item, levelsOf(item, inner)),
    };
  }
  demandDistinct(tree);
  return {
    kind: 'structure',
    name: element.name,
    ...levels,
    fields: children.map((child) => variantOf(child, levelsOf(child, levels))),
  };
};

/** Values of variants are of few types: no whole numbers without a sign, no bytes of a fixed length, no times in milliseconds. */
const mayBeShredded = ({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean => {
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') return true;
  switch (type) {
    case 'INT32':
    case 'INT64':
      if (logical?.type === 'INTEGER') return logical.isSigned;
      if (logical?.type === 'TIME' || logical?.type === 'TIMESTAMP') return logical.unit !== 'MILLIS';
      return converted === undefined || !/^(?:UINT_|TIME_MILLIS|TIMESTAMP_MILLIS)/.test(converted);
    case 'BYTE_ARRAY':
      return logical === undefined ? converted === undefined || converted === 'UTF8' : logical.type === 'STRING';
    case 'FIXED_LEN_BYTE_ARRAY':
      return logical?.type === 'UUID';
    default:
      return type === 'BOOLEAN' || type === 'FLOAT' || type === 'DOUBLE';
  }
};

const demandDistinct = ({ children, path }: SchemaTree): void => {
  const names = new Set(children.map(({ element }) => element.name));
  if (names.size < children.length)
    throw new ParquetFault('two of its fields have the same name', { column: path.join('.'), remedy: WITHOUT_COLUMN });
};
