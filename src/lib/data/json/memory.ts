/** What one of them takes in memory, about and at most: a list or object, a member or item, a letter that is copied. */
const CONTAINER_BYTES = 64;
const ELEMENT_BYTES = 24;
/** A key that is remembered, so that it can be told when it comes again: its text, and its place in a set. */
const KEY_BYTES = 64;

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** How many bytes a value takes as plain data, at most; counted off its text, since the parser itself cannot be stopped. */
export const bytesOfValue = (text: string, { start, end }: { readonly start: number; readonly end: number }): number => {
  const { containers, elements } = countMarks(text, start, end);
  return containers * CONTAINER_BYTES + elements * ELEMENT_BYTES + 2 * (end - start);
};

/** How many bytes it takes to check a text and find a way through it, at most; a short one is not looked at, unless memory is short. */
export const bytesToCheck = (text: string, maxBytes: number): number => {
  if (maxBytes === Number.POSITIVE_INFINITY) return 0;
  const { keys, elements } = countMarks(text, 0, text.length);
  return keys * KEY_BYTES + elements * ELEMENT_BYTES;
};

/** What separates values, also inside of texts: the count is never too small. */
const countMarks = (text: string, start: number, end: number) => {
  let containers = 0;
  let elements = 1;
  let keys = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) containers += 1;
    else if (unit === COMMA) elements += 1;
    else if (unit === COLON) keys += 1;
  }
  return { containers, elements, keys };
};
