import type { Document, Node } from 'yaml';
import type { MakeError } from '../make-error.ts';
import type { YamlNaming } from './load.ts';

/** As the library counts them: each alias weighs as much as the aliases behind it. */
const MAX_ALIASES = 100;
/** What aliases may expand a document to, counted in characters. */
const MAX_WEIGHT = 64 * 1024 * 1024;
/** What a value that is no text weighs. */
const ATOM_WEIGHT = 8;

/** The document as plain data: aliases and merges resolved, integers beyond 2^53 as texts, an empty document as an empty map. */
export const plainValue = (doc: Document.Parsed, { name, makeError }: YamlNaming): unknown => {
  const known = new Map<object, { readonly value: unknown; readonly weight: number }>();

  const plain = (value: unknown): { readonly value: unknown; readonly weight: number } => {
    if (typeof value === 'bigint' || Number.isInteger(value)) return { value: wholeNumber(value), weight: ATOM_WEIGHT };
    if (typeof value === 'string') return { value, weight: value.length + ATOM_WEIGHT };
    if (typeof value !== 'object' || value === null) return { value, weight: ATOM_WEIGHT };
    const before = known.get(value);
    if (before !== undefined) return before;
    const copy: object = Array.isArray(value) ? [] : {};
    let weight = ATOM_WEIGHT;
    for (const [key, inner] of Object.entries(value)) {
      const child = plain(inner);
      weight += child.weight + key.length;
      if (weight > MAX_WEIGHT)
        throw makeError(`The aliases of ${name} expand to more than ${MAX_WEIGHT} characters; write less with them.`, {
          path: name,
          limit: MAX_WEIGHT,
        });
      // `__proto__` is a key like any other.
      Object.defineProperty(copy, key, { value: child.value, writable: true, enumerable: true, configurable: true });
    }
    const made = { value: copy, weight };
    known.set(value, made);
    return made;
  };

  return isEmpty(doc) ? {} : plain(resolved(doc, name, makeError)).value;
};

const resolved = (doc: Document.Parsed, name: string, makeError: MakeError): unknown => {
  try {
    return doc.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (fault) {
    // The library complains of aliases and merges by plain errors.
    const words = fault instanceof Error ? fault.message.split('\n')[0] : 'its aliases cannot be resolved';
    throw makeError(`${name} cannot be read: ${words}; write the values out.`, { path: name });
  }
};

/** Whether a document says nothing at all, not even null. */
export const isEmpty = ({ contents }: { readonly contents: Node | null }): boolean =>
  contents === null || ('value' in contents && contents.value === null && contents.range?.[0] === contents.range?.[1]);

/** Whole numbers that a double cannot tell apart come out as texts. */
const wholeNumber = (value: unknown): number | string => {
  const number = Number(value);
  return Number.isSafeInteger(number) || /e/.test(String(value)) ? number : String(value);
};
