import { rewriteJson } from '../../lib/json/rewrite.ts';
import { type Reference, readReference, unreadable } from './read-reference.ts';

const MAX_REFERENCES = 1_000;

/** Lists the references in the texts of a value without reading what they refer to; those that cannot be read have kind `unknown`. */
export const referencesOf = (value: unknown): Reference[] => {
  const found: Reference[] = [];
  const look = (text: string): string => {
    if (hasReference(text)) found.push(...splitAtReferences(text).filter((part) => typeof part !== 'string'));
    return text;
  };
  rewriteJson(value, { text: look });
  return found;
};

/** Whether a text has to be split at all; nearly none has. */
export const hasReference = (text: string): boolean => text.includes('${');

/** Splits a text into plain text, with `$${` already read as `${`, and references. Nothing follows one that is not closed or over the limit. */
export const splitAtReferences = (text: string): readonly (string | Reference)[] => {
  const parts: (string | Reference)[] = [];
  let references = 0;
  let from = 0;
  for (let open = text.indexOf('${'); open !== -1; open = text.indexOf('${', from)) {
    if (open > from && text[open - 1] === '$') {
      parts.push(`${text.slice(from, open - 1)}\${`);
      from = open + 2;
      continue;
    }
    if (open > from) parts.push(text.slice(from, open));
    const close = text.indexOf('}', open);
    references += 1;
    if (close === -1) return [...parts, unreadable(text.slice(open), 'it has no closing brace; add } or write $${ for a plain ${')];
    const written = text.slice(open, close + 1);
    if (references > MAX_REFERENCES) return [...parts, unreadable(written, `a text may hold ${MAX_REFERENCES} references; split it`)];
    parts.push(readReference(written));
    from = close + 1;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
};
