/** A text that every match of a pattern holds. */
export interface RequiredText {
  readonly text: string;
  readonly ignoreCase: boolean;
}

const FLAGS = /^\(\?([imsU]+)\)/;
/** `{2}`, `{2,}`, `{2,3}`. */
const REPEAT = /^\{\d*,?\d*\}/;
/** Escapes of one letter that stand for no character of their own. */
const SETS_AND_EDGES = 'bBAzdDwWsSnrtfva';

/**
 * The longest run of characters that every match of a pattern of RE2 syntax must hold; undefined where none is sure. A search for it
 * is many times faster than the pattern, so it tells which lines are worth a closer look.
 */
export const requiredText = (pattern: string, given: { readonly ignoreCase: boolean }): RequiredText | undefined => {
  const [flags = '', letters = ''] = FLAGS.exec(pattern) ?? [];
  const ignoreCase = given.ignoreCase || letters.includes('i');
  const runs = runsOf([...pattern.slice(flags.length)], (character) => isSteady(character, ignoreCase));
  const longest = runs?.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === undefined || longest === '' ? undefined : { text: ignoreCase ? longest.toLowerCase() : longest, ignoreCase };
};

/** The longest part of a plain text that has the same bytes in every case of its letters but those of ASCII. */
export const steadyPart = (text: string): string | undefined => {
  const parts = Array.from(text, (character) => (isSteady(character, true) ? character : '\n'))
    .join('')
    .split('\n');
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return longest === '' ? undefined : longest.toLowerCase();
};

/** Whether a text stands in lines as these very bytes, or with its ASCII letters in the other case. */
export const isSteadyText = (text: string): boolean => [...text].every((character) => isSteady(character, true));

/** Without regard to case `k` and `s` are also the Kelvin sign and the long s, and other letters have other bytes. */
const isSteady = (character: string, ignoreCase: boolean): boolean =>
  character !== '\uFFFD' && (!ignoreCase || (character < '\u0080' && !'kKsS'.includes(character)));

/** The plain runs at the outermost level; undefined where the pattern has alternatives there or something not understood. */
const runsOf = (characters: readonly string[], isPlain: (character: string) => boolean): string[] | undefined => {
  const runs: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    runs.push(run.join(''));
    run = [];
  };
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    switch (character) {
      case '|':
        return undefined;
      case '(':
      case '[': {
        endRun();
        const end = character === '(' ? endOfGroup(characters, at) : endOfClass(characters, at);
        if (end === undefined) return undefined;
        at = end;
        break;
      }
      case '.':
      case '^':
      case '$':
      case '+': // what it repeats is there once
        endRun();
        break;
      case '*':
      case '?':
        run.pop();
        endRun();
        break;
      case '{': {
        const [repeat = '{'] = REPEAT.exec(characters.slice(at, at + 16).join('')) ?? [];
        run.pop();
        endRun();
        at += repeat.length - 1;
        break;
      }
      case '\\': {
        at += 1;
        const escaped = characters[at] ?? '';
        if (/^[!-/:-@[-`{-~]$/.test(escaped) && isPlain(escaped)) run.push(escaped);
        else if (SETS_AND_EDGES.includes(escaped)) endRun();
        else return undefined;
        break;
      }
      default:
        if (isPlain(character)) run.push(character);
        else endRun();
    }
  }
  endRun();
  return runs;
};

/** The place of the `)` that closes a group; flags for the rest of the pattern are not understood. */
const endOfGroup = (characters: readonly string[], start: number): number | undefined => {
  if (/^\(\?[a-zA-Z-]+\)/.test(characters.slice(start, start + 16).join(''))) return undefined;
  let depth = 0;
  for (let at = start; at < characters.length; at += 1) {
    const character = characters[at];
    if (character === '\\') {
      if (characters[at + 1] === 'Q') return undefined;
      at += 1;
    } else if (character === '[') {
      const end = endOfClass(characters, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
};

/** The place of the `]` that closes a class: neither the first character inside nor that of a named class. */
const endOfClass = (characters: readonly string[], start: number): number | undefined => {
  let at = start + 1;
  if (characters[at] === '^') at += 1;
  for (let isFirst = true; at < characters.length; at += 1, isFirst = false) {
    if (characters[at] === '\\') at += 1;
    else if (characters[at] === '[' && characters[at + 1] === ':') {
      const end = characters.indexOf(']', at);
      if (end < 0 || characters[end - 1] !== ':') return undefined;
      at = end;
    } else if (characters[at] === ']' && !isFirst) return at;
  }
  return undefined;
};
