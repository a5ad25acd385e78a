import { expect, test } from 'vitest';
import { readJson } from './read.ts';

const refusals: readonly (readonly [text: string, place: string, words: string])[] = [
  ['', '1:1', 'there is no JSON here; write a value such as []'],
  [' \n\t', '1:1', 'there is no JSON here; write a value such as []'],
  ['[1,\n [2\n\n', '2:4', 'the text ends inside the array opened at line 2, column 2; close it with ]'],
  ['{"a"', '1:5', 'the text ends inside the object opened at line 1, column 1; close it with }'],
  ['{"a":1,', '1:8', 'the text ends inside the object opened at line 1, column 1; close it with }'],
  ['[,1]', '1:2', 'a value is missing before this comma; write it or remove the comma'],
  ['{,}', '1:2', 'a key is missing before this comma; write it or remove the comma'],
  ['[\n1,\n]', '3:1', 'the comma before this ] has nothing after it; remove the comma'],
  ['{"a":1,}', '1:8', 'the comma before this } has nothing after it; remove the comma'],
  ['{"a":}', '1:6', 'a value is missing before this }; write it'],
  [']', '1:1', 'this ] closes nothing; remove it'],
  ['[1]]', '1:4', 'this ] closes nothing; remove it'],
  ['[{"a":1]', '1:8', 'this ] does not close the object opened at line 1, column 2; write } first'],
  ['[}', '1:2', 'this } does not close the array opened at line 1, column 1; write ] first'],
  ['{]', '1:2', 'this ] does not close the object opened at line 1, column 1; write } first'],
  ['[+1]', '1:2', 'a number cannot start with a plus sign; remove it'],
  ['[.5]', '1:2', 'a number cannot start with a point; write 0 before it'],
  ['[True]', '1:2', 'JSON has no True; write true'],
  ['[None]', '1:2', 'JSON has no None; write null'],
  ['[NaN]', '1:2', 'JSON has no NaN; write null'],
  ['[FA_stat]', '1:2', 'no JSON value starts like this; put text in double quotes'],
  ['[*]', '1:2', 'no JSON value starts like this; put text in double quotes'],
  ["['a']", '1:2', 'JSON knows only straight double quotes; replace this quote'],
  ['[“a”]', '1:2', 'JSON knows only straight double quotes; replace this quote'],
  ['// a\n[]', '1:1', 'JSON has no comments; remove this one'],
  ['[1 # one\n]', '1:4', 'JSON has no comments; remove this one'],
  ['[\u00a01]', '1:2', 'the invisible character \\u00a0 stands here; remove it'],
  ['[1]\u0000', '1:4', 'the invisible character \\u0000 stands here; remove it'],
  ['[\ud800]', '1:2', 'the invisible character \\ud800 stands here; remove it'],
  ['{a:1}', '1:2', 'a key needs double quotes; put them around it'],
  ['{"a" 1}', '1:6', 'a colon is missing between key and value; write it here'],
  ['["a":1]', '1:5', 'a colon follows only a key in an object; use { } around keys and values'],
  ['[01]', '1:3', 'a number cannot start with 0; remove the zero'],
  ['[0x10]', '1:3', 'this does not belong to the value before it; remove it'],
  ['[truee]', '1:6', 'this does not belong to the value before it; remove it'],
  ['[1 2]', '1:4', 'a comma is missing before this value; write one between them'],
  ['[[][]]', '1:4', 'a comma is missing before this value; write one between them'],
  ['{"a":1 "b":2}', '1:8', 'a comma is missing before this key; write one between them'],
  ['[1;2]', '1:3', 'a comma or ] is missing here; write it'],
  ['[]\n[]', '2:1', 'only one JSON value may stand here; remove what follows it'],
];

test.each(refusals)('%j is refused at %s: %s', (text, place, words) => {
  expect(() => readJson(text, { name: 'a.json' })).toThrow(expect.objectContaining({ message: `a.json:${place}: ${words}.` }));
});

test.each([
  ['', 'empty'],
  ['[', 'unfinished'],
  ['[1 2]', 'syntax'],
  ['[] []', 'trailing'],
])('%j is refused for the reason %s', (text, reason) => {
  expect(() => readJson(text)).toThrow(expect.objectContaining({ context: expect.objectContaining({ reason }) }));
});
