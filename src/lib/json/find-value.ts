/** The way to a value: keys of objects, and numbers for elements of lists. */
export type JsonPath = readonly (string | number)[];

const BLANK = /[ \t\r\n]*/y;
const STRING = /"(?:\\.|[^"\\])*"/y;
const SCALAR = /[^\s,\]}]+/y;

/**
 * Finds where a value stands in a text that is known to be JSON, as an offset; where there is none, that of the nearest value around it.
 * The parser tells values, but not where they stand.
 */
export const findValue = (text: string, path: JsonPath): number => {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? '';
    at += taken.length;
    return taken;
  };

  /** Passes over a value without looking into it. */
  const skip = (): void => {
    for (let depth = 0; ; ) {
      take(BLANK);
      const first = text[at];
      if (first === '[' || first === '{') {
        depth += 1;
        at += 1;
      } else if (first === ']' || first === '}') {
        depth -= 1;
        at += 1;
      } else if (first === ',' || first === ':') at += 1;
      else if (take(STRING) === '' && take(SCALAR) === '') return; // the end of the text
      if (depth <= 0) return;
    }
  };

  /** Enters the list or object that begins here; answers whether the step was found, and stands before its value then. */
  const enter = (step: string | number): boolean => {
    const isList = text[at] === '[';
    if (isList !== (typeof step === 'number') || (!isList && text[at] !== '{')) return false;
    at += 1;
    for (let index = 0; at < text.length; index += 1) {
      take(BLANK);
      if (text[at] === ']' || text[at] === '}') return false;
      const key: unknown = isList ? index : JSON.parse(take(STRING) || 'null');
      if (!isList) {
        take(BLANK);
        at += 1; // the colon
        take(BLANK);
      }
      if (key === step) return true;
      skip();
      take(BLANK);
      if (text[at] === ',') at += 1;
    }
    return false;
  };

  take(/\uFEFF?/y);
  take(BLANK);
  let found = at;
  for (const step of path) {
    if (!enter(step)) return found;
    found = at;
  }
  return found;
};
