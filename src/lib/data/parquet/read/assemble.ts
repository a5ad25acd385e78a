import { type Assembled, type CursorOf, eachItem, isMissing, passBy } from './entries.ts';
import type { List, MapNode, SchemaNode, Structure } from './schema-node.ts';
import { shreddedReader } from './shredded.ts';

/** Puts rows together again from the levels of their entries. */
export const assemble = (node: SchemaNode, cursorOf: CursorOf): Assembled => {
  switch (node.kind) {
    case 'leaf': {
      const cursor = cursorOf(node);
      return { read: () => cursor.take(), cursors: [cursor] };
    }
    case 'structure':
      return structure(node, cursorOf);
    case 'list':
      return list(node, cursorOf);
    case 'map':
      return map(node, cursorOf);
    case 'variant':
      return shreddedReader(node, cursorOf);
  }
};

const structure = (node: Structure, cursorOf: CursorOf): Assembled => {
  const parts = node.fields.map((field) => ({ name: field.name, ...assemble(field, cursorOf) }));
  const cursors = parts.flatMap((part) => part.cursors);
  const read = (): unknown => {
    if (isMissing(cursors, node.def)) return passBy(cursors);
    return Object.fromEntries(parts.map((part) => [part.name, part.read()]));
  };
  return { read, cursors };
};

const list = (node: List, cursorOf: CursorOf): Assembled => {
  const item = assemble(node.item, cursorOf);
  const read = (): unknown => {
    if (isMissing(item.cursors, node.def)) return passBy(item.cursors);
    const items: unknown[] = [];
    eachItem(node, item.cursors, () => items.push(item.read()));
    return items;
  };
  return { read, cursors: item.cursors };
};

const map = (node: MapNode, cursorOf: CursorOf): Assembled => {
  const key = assemble(node.key, cursorOf);
  const value = assemble(node.value, cursorOf);
  const cursors = [...key.cursors, ...value.cursors];
  const read = (): unknown => {
    if (isMissing(cursors, node.def)) return passBy(cursors);
    const entries: [string, unknown][] = [];
    eachItem(node, cursors, () => entries.push([keyText(key.read()), value.read()]));
    return Object.fromEntries(entries); // of a key that is there twice the last value counts, says the format
  };
  return { read, cursors };
};

/** A key of a JSON object is a text. */
const keyText = (key: unknown): string => (typeof key === 'object' ? JSON.stringify(key) : String(key));
