import type { SchemaElement, SchemaTree } from 'hyparquet';
import { leafReader, type ReadStored } from './from-stored.ts';

/** How a column is read: lists, maps and structures at any depth, leaves by their type. */
export const columnReader = (tree: SchemaTree): ReadStored => {
  const read = valueReader(tree);
  // Repeated without a list around it: a list all the same.
  return tree.element.repetition_type === 'REPEATED' ? listOf(read) : read;
};

/**
 * The schema as it is handed to the library: leaves without their meaning, so that it gives what is stored, and maps as lists of entries,
 * so that it builds no objects from keys that a file chooses.
 */
export const rawSchema = (tree: SchemaTree): SchemaElement[] => {
  const { converted_type, logical_type, ...bare } = tree.element;
  const isBare = tree.children.length === 0 || isMap(tree);
  return [isBare ? bare : tree.element, ...tree.children.flatMap(rawSchema)];
};

/** Whether a field is called what the library would take for the prototype of the object it builds. */
export const hasPrototypeField = ({ children }: SchemaTree): boolean =>
  children.some((child) => child.element.name === '__proto__' || hasPrototypeField(child));

const valueReader = (tree: SchemaTree): ReadStored => {
  const { element, children } = tree;
  const [first] = children;
  if (first === undefined) return leafReader(element);
  if (element.converted_type === 'LIST' && children.length === 1) {
    // Three levels as everybody writes them; two in old files, where the repeated group is the item.
    const [item] = first.children;
    return listOf(item !== undefined && first.children.length === 1 ? valueReader(item) : valueReader(first));
  }
  if (isMap(tree)) return mapReader(first);
  const fields = children.map((child) => [child.element.name, columnReader(child)] as const);
  return (value) => (isObject(value) ? Object.fromEntries(fields.map(([name, read]) => [name, read(value[name])])) : null);
};

const isMap = ({ element, children }: SchemaTree): boolean =>
  (element.converted_type === 'MAP' || element.converted_type === 'MAP_KEY_VALUE') &&
  children.length === 1 &&
  children[0]?.children.length === 2;

const mapReader = (entries: SchemaTree): ReadStored => {
  const [key, value] = entries.children;
  if (key === undefined || value === undefined) return () => null;
  const readKey = columnReader(key);
  const readValue = columnReader(value);
  return (stored) => {
    const list = isObject(stored) ? stored[entries.element.name] : undefined;
    if (!Array.isArray(list)) return null;
    return Object.fromEntries(list.map((entry) => [keyText(readKey(entry[key.element.name])), readValue(entry[value.element.name])]));
  };
};

/** A key of a JSON object is a text. */
const keyText = (key: unknown): string => (typeof key === 'object' ? JSON.stringify(key) : String(key));

const listOf =
  (read: ReadStored): ReadStored =>
  (value) =>
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(Object.values(value), read) : null;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
