import { endOfClass, type Refuse } from './globs-braces.ts';

/** One thing that a part of a name can be. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'star' }
  | { readonly kind: 'one' }
  | { readonly kind: 'class'; readonly ranges: readonly (readonly [low: number, high: number])[]; readonly isNegated: boolean };

/** One segment of a pattern: `**`, or what one name must look like. */
export type Segment = '**' | readonly Token[];

/** Reads a pattern without braces into its segments. */
export const parseForm = (form: string, refuse: Refuse): Segment[] => {
  if (form === '') throw refuse('is empty, or has an alternative that is; write what to match');
  if (form.startsWith('/') || /^[A-Za-z]:/.test(form)) throw refuse('is absolute; patterns are relative to the place that is searched');
  return splitSegments(form, refuse).map((segment) => readSegment(segment, refuse));
};

const splitSegments = (form: string, refuse: Refuse): string[] => {
  const segments: string[] = [];
  let start = 0;
  for (let at = 0; at <= form.length; at += 1) {
    if (form[at] === '\\') {
      if (at + 1 === form.length) throw refuse('ends with a lone backslash; write \\\\ for the character itself');
      if (form[at + 1] === '/') throw refuse('escapes a /, which no name can hold; write a plain / between names');
      at += 1;
    } else if (form[at] === '[') {
      const end = endOfClass(form, at, refuse);
      if (form.slice(at, end).includes('/')) throw refuse('has a / between brackets, which no name can hold; leave it out');
      at = end - 1;
    } else if (at === form.length || form[at] === '/') {
      segments.push(form.slice(start, at));
      start = at + 1;
    }
  }
  return segments;
};

const readSegment = (segment: string, refuse: Refuse): Segment => {
  if (segment === '') throw refuse('has an empty segment; write one / between names and none at the end');
  if (segment === '**') return '**';
  const tokens = readTokens(segment, refuse);
  const [only] = tokens;
  if (tokens.length === 1 && only?.kind === 'text' && (only.text === '.' || only.text === '..')) {
    throw refuse(`has the segment ${only.text}, which is no name; write the path without it`);
  }
  return tokens;
};

const readTokens = (segment: string, refuse: Refuse): Token[] => {
  const tokens: Token[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') tokens.push({ kind: 'text', text });
    text = '';
  };
  for (let at = 0; at < segment.length; at += 1) {
    const character = segment[at] ?? '';
    if (character === '\\') {
      at += 1;
      text += segment[at];
    } else if (character === '*') {
      endText();
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') {
      endText();
      tokens.push({ kind: 'one' });
    } else if (character === '[') {
      endText();
      const end = endOfClass(segment, at, refuse);
      tokens.push(readClass(segment.slice(at + 1, end - 1), refuse));
      at = end - 1;
    } else text += character;
  }
  endText();
  return tokens;
};

const readClass = (inside: string, refuse: Refuse): Token => {
  const isNegated = inside.startsWith('!') || inside.startsWith('^');
  const members = classMembers(isNegated ? inside.slice(1) : inside, refuse);
  if (members.length === 0) throw refuse('has an empty class; name the characters between the brackets');
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const low = members[at]?.point ?? 0;
    const isRange = members[at + 1]?.isDash === true && at + 2 < members.length;
    const high = isRange ? (members[at + 2]?.point ?? 0) : low;
    if (high < low) throw refuse('has a range that runs backwards; write the lower character first');
    ranges.push([low, high]);
    if (isRange) at += 2;
  }
  return { kind: 'class', ranges, isNegated };
};

interface Member {
  readonly point: number;
  /** An unescaped `-`, which makes a range between two characters. */
  readonly isDash: boolean;
}

const classMembers = (inside: string, refuse: Refuse): Member[] => {
  if (/\[[:.=]/.test(inside)) throw refuse('has a named class such as [:alpha:], which is not supported; name the characters or a range');
  const members: Member[] = [];
  let isEscaped = false;
  for (const character of inside) {
    if (character === '\\' && !isEscaped) {
      isEscaped = true;
      continue;
    }
    members.push({ point: character.codePointAt(0) ?? 0, isDash: character === '-' && !isEscaped });
    isEscaped = false;
  }
  return members;
};
