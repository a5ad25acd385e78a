import { type Trivia, triviaWith } from '../brackets.ts';

/** A comment as editors allow it in JSON; one that is never closed is none. */
const endOfComment = (text: string, at: number): number => {
  if (text.charCodeAt(at) !== 0x2f) return at;
  if (text[at + 1] === '/') {
    const length = text.slice(at).search(/[\r\n]/);
    return length === -1 ? text.length : at + length;
  }
  const end = text[at + 1] === '*' ? text.indexOf('*/', at + 2) : -1;
  return end === -1 ? at : end + 2;
};

/** What has no meaning in JSON as editors write it. */
export const JSON_TRIVIA: Trivia = triviaWith(endOfComment);

/** The offset of what comes after white space and comments. */
export const skipTrivia = JSON_TRIVIA.skip;
