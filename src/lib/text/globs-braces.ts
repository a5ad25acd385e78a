import type { ValidationException } from '../../core/errors.ts';

/** Makes the error for a pattern from what is wrong with it and the remedy. */
export type Refuse = (fault: string) => ValidationException;

/** A stretch of a pattern: plain parts and alternatives in their order. */
type Sequence = readonly (string | Alternatives)[];
type Alternatives = readonly Sequence[];

/** A pattern stands for at most so many patterns without braces. */
const MAX_FORMS = 1024;
/** And these may not be longer than this together: matching tries them one by one. */
const MAX_CHARS = 65_536;
/** Braces inside of others: each level takes a piece of the stack. */
const MAX_DEPTH = 64;

/** Writes out the alternatives in braces: `a{b,c}` becomes `ab` and `ac`. Escapes and classes stay as written. */
export const expandBraces = (pattern: string, refuse: Refuse): string[] => {
  if (!pattern.includes('{')) return [pattern];
  const sequence = readSequences(pattern, refuse);
  if (countOf(sequence) > MAX_FORMS) throw refuse(`stands for more than ${MAX_FORMS} patterns; use fewer alternatives`);
  const forms = formsOf(sequence);
  const chars = forms.reduce((sum, form) => sum + form.length, 0);
  if (chars > MAX_CHARS) throw refuse(`is ${chars} characters long with its alternatives written out; shorten it`);
  return forms;
};

const readSequences = (pattern: string, refuse: Refuse): Sequence => {
  let at = 0;
  let depth = 0;

  const sequence = (isInside: boolean): Sequence => {
    const parts: (string | Alternatives)[] = [];
    while (at < pattern.length && !isEnd(isInside)) parts.push(pattern[at] === '{' ? alternatives() : plain(isInside));
    return parts;
  };

  const alternatives = (): Alternatives => {
    const branches: Sequence[] = [];
    depth += 1;
    if (depth > MAX_DEPTH) throw refuse(`has more than ${MAX_DEPTH} braces inside of one another; use fewer alternatives`);
    do {
      at += 1; // the brace or the comma
      branches.push(sequence(true));
    } while (pattern[at] === ',');
    if (at >= pattern.length) throw refuse('has a { without its }; close it, or write \\{ for the character itself');
    if (branches.length < 2) throw refuse('has braces with a single alternative; give at least two, or write \\{ for the character itself');
    at += 1;
    depth -= 1;
    return branches;
  };

  const isEnd = (isInside: boolean): boolean => isInside && (pattern[at] === ',' || pattern[at] === '}');

  /** Up to the next brace that counts: those in classes and behind a backslash are characters, and so are commas. */
  const plain = (isInside: boolean): string => {
    const start = at;
    while (at < pattern.length && pattern[at] !== '{' && !isEnd(isInside)) {
      at = pattern[at] === '[' ? endOfClass(pattern, at, refuse) : at + (pattern[at] === '\\' ? 2 : 1);
    }
    return pattern.slice(start, at);
  };

  return sequence(false);
};

/** The place behind the `]` that closes the class at `start`. */
export const endOfClass = (pattern: string, start: number, refuse: Refuse): number => {
  for (let at = start + 1; at < pattern.length; at += 1) {
    if (pattern[at] === ']') return at + 1;
    if (pattern[at] === '\\') at += 1;
  }
  throw refuse('has a [ without its ]; close it, or write \\[ for the character itself');
};

const countOf = (sequence: Sequence): number => {
  let count = 1;
  for (const part of sequence) {
    if (typeof part !== 'string') count *= part.reduce((sum, branch) => sum + countOf(branch), 0);
    if (count > MAX_FORMS) return count;
  }
  return count;
};

const formsOf = (sequence: Sequence): string[] =>
  sequence.reduce<string[]>(
    (forms, part) => {
      const endings = typeof part === 'string' ? [part] : part.flatMap(formsOf);
      return forms.flatMap((form) => endings.map((ending) => form + ending));
    },
    [''],
  );
