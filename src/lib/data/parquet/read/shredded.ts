import { type Assembled, type CursorOf, eachItem, isMissing, passBy } from './entries.ts';
import type { SchemaNode, Variant } from './schema-node.ts';
import { demand, ParquetFault } from './unreadable.ts';
import { readVariant, readVariantNames, type VariantNames } from './variant.ts';

/** What a variant, or a part of one, has in its columns. */
type ReadPart = (names: VariantNames) => unknown;
interface Part {
  readonly read: ReadPart;
  readonly cursors: Assembled['cursors'];
}

/** A part that is not there: a field that its object does not have. */
const ABSENT = Symbol('absent');

/** Reads a variant from its columns: whole, or put together from the parts that have columns of their own. */
export const shreddedReader = (node: Variant, cursorOf: CursorOf): Assembled => {
  demand(node.metadata !== undefined, 'it is a variant without metadata');
  const metadata = cursorOf(node.metadata);
  const inner = partOf(node, cursorOf);
  const cursors = [metadata, ...inner.cursors];
  let known: { readonly bytes: unknown; readonly names: VariantNames } | undefined;
  const read = (): unknown => {
    if (isMissing(cursors, node.def)) return passBy(cursors);
    const bytes = metadata.take();
    // Rows of a dictionary share their metadata.
    if (known === undefined || known.bytes !== bytes) known = { bytes, names: readVariantNames(bytes) };
    const value = inner.read(known.names);
    return value === ABSENT ? null : value;
  };
  return { read, cursors };
};

/** A value in `value`, or in columns of `typed_value`, or an object with some of its fields in each. */
const partOf = (node: Variant, cursorOf: CursorOf): Part => {
  const value = node.value === undefined ? undefined : cursorOf(node.value);
  const typed = node.typed === undefined ? undefined : typedPart(node.typed, cursorOf);
  const read: ReadPart = (names) => {
    const rest = value?.take();
    const whole = rest === null || rest === undefined ? ABSENT : readVariant(rest, names);
    const shredded = typed === undefined ? ABSENT : typed.read(names);
    if (shredded === ABSENT) return whole;
    if (whole === ABSENT) return shredded;
    demand(node.typed?.kind === 'structure' && isPlainObject(whole) && isPlainObject(shredded), 'a variant has two values');
    for (const { name } of node.typed.fields) demand(!Object.hasOwn(whole, name), 'a field of a variant has two values');
    return Object.fromEntries([...Object.entries(shredded), ...Object.entries(whole)]);
  };
  return { read, cursors: [...(value === undefined ? [] : [value]), ...(typed?.cursors ?? [])] };
};

const typedPart = (node: SchemaNode, cursorOf: CursorOf): Part => {
  switch (node.kind) {
    case 'structure': {
      const fields = node.fields.map((field) => ({ name: field.name, ...variantPart(field, cursorOf) }));
      const cursors = fields.flatMap((field) => field.cursors);
      const read: ReadPart = (names) => {
        if (isMissing(cursors, node.def)) return absent(cursors);
        const entries = fields.map((field) => [field.name, field.read(names)] as const);
        return Object.fromEntries(entries.filter(([, value]) => value !== ABSENT));
      };
      return { read, cursors };
    }
    case 'list': {
      const item = variantPart(node.item, cursorOf);
      const read: ReadPart = (names) => {
        if (isMissing(item.cursors, node.def)) return absent(item.cursors);
        const items: unknown[] = [];
        eachItem(node, item.cursors, () => {
          const value = item.read(names);
          items.push(value === ABSENT ? null : value);
        });
        return items;
      };
      return { read, cursors: item.cursors };
    }
    case 'leaf': {
      const cursor = cursorOf(node);
      return { read: () => cursor.take() ?? ABSENT, cursors: [cursor] };
    }
    default:
      throw new ParquetFault('a part of a variant is neither a value nor an object nor a list');
  }
};

/** A field or an item: absent where the group itself is not there. */
const variantPart = (node: SchemaNode, cursorOf: CursorOf): Part => {
  demand(node.kind === 'variant', 'a part of a variant is none');
  const inner = partOf(node, cursorOf);
  return { read: (names) => (isMissing(inner.cursors, node.def) ? absent(inner.cursors) : inner.read(names)), cursors: inner.cursors };
};

const absent = (cursors: Assembled['cursors']): typeof ABSENT => {
  passBy(cursors);
  return ABSENT;
};

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
