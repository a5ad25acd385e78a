import { MAX_KEPT_BYTES } from '../../../../core/kept-outcome.ts';

interface Cut {
  readonly text: string;
  readonly isCut: boolean;
}

/** The JSON of a value. One that is too long becomes a string of its beginning: of the text itself, or of its JSON. */
export const cutValue = (value: unknown): Cut => {
  const text = JSON.stringify(value) ?? 'null';
  if (isShort(text)) return { text, isCut: false };
  return { text: JSON.stringify(beginning(typeof value === 'string' ? value : text)), isCut: true };
};

/** The JSON of what comes with a value; null where it is too long. */
export const dropLong = (value: object): { readonly text: string | null; readonly isCut: boolean } => {
  const text = JSON.stringify(value);
  return isShort(text) ? { text, isCut: false } : { text: null, isCut: true };
};

/** A character takes at most three bytes in UTF-8, so most texts need no counting. */
const isShort = (text: string): boolean => text.length * 3 <= MAX_KEPT_BYTES || Buffer.byteLength(text) <= MAX_KEPT_BYTES;

const beginning = (text: string): string => {
  const bytes = Buffer.from(text);
  let end = MAX_KEPT_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // not in the middle of a character
  return bytes.toString('utf8', 0, end);
};
