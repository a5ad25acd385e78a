import type { Level } from './level.ts';
import { visible } from './locate.ts';
import { placeOf, refuse, type Source } from './source.ts';

/** Words of other languages, in lower case, and what JSON writes instead. */
const FOREIGN_WORDS = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['none', 'null'],
  ['nil', 'null'],
  ['undefined', 'null'],
  ['nan', 'null'],
  ['infinity', 'null'],
]);

/** Refuses what stands where a value should begin. */
export const refuseValue = (source: Source, at: number, level: Level | undefined): never =>
  refuseFound(source, at, {
    level,
    wordsFor: (found) => {
      if (found === ',') return 'a value is missing before this comma; write it or remove the comma';
      if (found === ']' || found === '}') return wordsForClosing(source, at, level);
      if (found === '+') return 'a number cannot start with a plus sign; remove it';
      if (found === '.') return 'a number cannot start with a point; write 0 before it';
      const word = /^\w+/.exec(source.text.slice(at, at + 16))?.[0] ?? '';
      const meant = FOREIGN_WORDS.get(word.toLowerCase());
      // An unquoted word is not repeated in the message: it may be a password.
      return meant === undefined ? 'no JSON value starts like this; put text in double quotes' : `JSON has no ${word}; write ${meant}`;
    },
  });

/** Refuses what stands where a key should begin. */
export const refuseKey = (source: Source, at: number, level: Level): never =>
  refuseFound(source, at, {
    level,
    wordsFor: (found) => {
      if (found === ',') return 'a key is missing before this comma; write it or remove the comma';
      if (found === ']' || found === '}') return wordsForClosing(source, at, level);
      return 'a key needs double quotes; put them around it';
    },
  });

/** Refuses what stands where the colon after a key should. */
export const refuseColon = (source: Source, at: number, level: Level): never =>
  refuseFound(source, at, { level, wordsFor: () => 'a colon is missing between key and value; write it here' });

/** Refuses what stands after a value where a comma or the end of the array or object should. */
export const refuseNext = (source: Source, at: number, level: Level): never =>
  refuseFound(source, at, {
    level,
    wordsFor: (found) => {
      if (found === ']' || found === '}') return wordsForClosing(source, at, level);
      if (found === ':') return 'a colon follows only a key in an object; use { } around keys and values';
      // A whole number takes all its digits, unless it starts with 0.
      if (/^0\d/.test(source.text.slice(at - 1, at + 1))) return 'a number cannot start with 0; remove the zero';
      if (/[\w.]/.test(found) && /\w/.test(source.text.charAt(at - 1))) return 'this does not belong to the value before it; remove it';
      const isStart = /["[{\w-]/.test(found);
      if (isStart) return `a comma is missing before this ${level.kind === 'object' ? 'key' : 'value'}; write one between them`;
      return `a comma or ${closeOf(level)} is missing here; write it`;
    },
  });

/** Refuses what stands after the whole value. */
export const refuseRest = (source: Source, at: number): never => {
  const found = source.text.charAt(at);
  const closing = found === ']' || found === '}' ? wordsForClosing(source, at, undefined) : undefined;
  const words = wordsForAnyPlace(source.text, at) ?? closing ?? 'only one JSON value may stand here; remove what follows it';
  return refuse(source, at, { reason: 'trailing', words });
};

const refuseFound = (
  source: Source,
  at: number,
  { level, wordsFor }: { level: Level | undefined; wordsFor: (found: string) => string },
): never => {
  const found = source.text.charAt(at);
  if (found === '') return refuseEnd(source, level);
  return refuse(source, at, { reason: 'syntax', words: wordsForAnyPlace(source.text, at) ?? wordsFor(found) });
};

const refuseEnd = (source: Source, level: Level | undefined): never => {
  if (level === undefined) return refuse(source, 0, { reason: 'empty', words: 'there is no JSON here; write a value such as []' });
  const words = `the text ends inside the ${level.kind} opened at ${placeOf(source, level.offset)}; close it with ${closeOf(level)}`;
  return refuse(source, source.text.trimEnd().length, { reason: 'unfinished', words });
};

const closeOf = (level: Level): string => String.fromCharCode(level.close);

const wordsForClosing = (source: Source, at: number, level: Level | undefined): string => {
  const found = source.text.charAt(at);
  const before = source.text.slice(0, at).trimEnd().at(-1);
  if (before === ',') return `the comma before this ${found} has nothing after it; remove the comma`;
  if (before === ':') return `a value is missing before this ${found}; write it`;
  if (level === undefined) return `this ${found} closes nothing; remove it`;
  return `this ${found} does not close the ${level.kind} opened at ${placeOf(source, level.offset)}; write ${closeOf(level)} first`;
};

/** Words for what is wrong wherever it stands outside a string. */
const wordsForAnyPlace = (text: string, at: number): string | undefined => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (/[/#]/.test(character)) return 'JSON has no comments; remove this one';
  if (/['`‘’“”]/.test(character)) return 'JSON knows only straight double quotes; replace this quote';
  const shown = visible(character);
  return shown === character ? undefined : `the invisible character ${shown} stands here; remove it`;
};
