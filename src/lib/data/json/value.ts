import { type Findings, isUnsafeNumber } from './check-document.ts';
import { endOfString, endOfValue, type JsonNode } from './node.ts';
import { skipTrivia } from './trivia.ts';

/** A value of a checked text as plain data; numbers that a double cannot stand for come out as texts of their digits. */
export const jsonValue = (text: string, { start, end }: JsonNode, { hasExtras, hasUnsafeNumbers }: Findings): unknown =>
  JSON.parse(hasExtras || hasUnsafeNumbers ? strictText(text, start, end) : text.slice(start, end));

/** The same value without comments and idle commas, unsafe numbers in quotes. */
const strictText = (text: string, start: number, end: number): string => {
  const pieces: string[] = [];
  for (let at = start; at < end; at = skipTrivia(text, at)) {
    const first = text[at] ?? '';
    if (first === ',') {
      at += 1;
      if (!/[\]}]/.test(text[skipTrivia(text, at)] ?? '')) pieces.push(first);
    } else if (/[[\]{}:]/.test(first)) {
      at += 1;
      pieces.push(first);
    } else {
      const scalarEnd = first === '"' ? endOfString(text, at) : endOfValue(text, at);
      const scalar = text.slice(at, scalarEnd);
      pieces.push(first !== '"' && isUnsafeNumber(scalar) ? `"${scalar}"` : scalar);
      at = scalarEnd;
    }
  }
  return pieces.join('');
};
