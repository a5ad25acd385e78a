import { ExecuteActionException } from '../../core/errors.ts';

/** What is deeper than this contains itself. */
const MAX_DEPTH = 1_000;

/**
 * A value as JSON carries it: nothing is null, bytes travel as base64, whole numbers beyond 2^53 as text, everything else as its
 * `toJSON` or its own keys say. Gives back the same reference where nothing has to change.
 */
export const jsonValue = (value: unknown, depth = 0): unknown => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : jsonObject(value, depth);
    default:
      return null;
  }
};

/** Bytes in the form in which they travel. */
export const jsonBytes = (bytes: Uint8Array): { readonly base64: string } => ({
  base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
});

const jsonObject = (value: object, depth: number): unknown => {
  if (depth > MAX_DEPTH) {
    throw new ExecuteActionException(`The value nests deeper than ${MAX_DEPTH} levels or contains itself; return plain JSON data.`);
  }
  if (Array.isArray(value)) return jsonList(value, depth);
  if (value instanceof Uint8Array) return jsonBytes(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return jsonValue(value.toJSON(), depth + 1);
  let copy: { [key: string]: unknown } | undefined;
  for (const [key, item] of Object.entries(value)) {
    const shown = item === undefined ? undefined : jsonValue(item, depth + 1);
    if (Object.is(shown, item)) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, key, { value: shown, writable: true, enumerable: true, configurable: true }); // `__proto__` is a key like any other
  }
  return copy ?? value;
};

const jsonList = (list: readonly unknown[], depth: number): unknown => {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const shown = jsonValue(list[at], depth + 1);
    if (Object.is(shown, list[at])) continue;
    copy ??= list.slice();
    copy[at] = shown;
  }
  return copy ?? list;
};
