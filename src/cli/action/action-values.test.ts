import { describe, expect, test } from 'vitest';
import { type Arg, bytes, either, flag, integer, json, list, number, oneOf, path, record, steps, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { kindOfArg } from './action-kind.ts';
import { readValue } from './action-values.ts';

const read = (arg: Arg, words: readonly string[], input = '') => readValue({ option: '--it', arg }, words, async () => Buffer.from(input));

describe('the kind of an argument', () => {
  test.each<[string, Arg]>([
    ['text', text('A text.')],
    ['text', text('A text.', { default: null })],
    ['text', oneOf('A word.', ['a', 'b'])],
    ['path', path('A path.', { role: 'reads' })],
    ['flag', flag('A switch.')],
    ['number', integer('A number.', { default: null })],
    ['bytes', bytes('Bytes.')],
    ['list', list('Texts.', shapes.text())],
    ['json', record('An object.', shapes.json())],
    ['json', steps('Commands.')],
    ['any', json('A value.')],
    ['any', either('A text or a number.', [shapes.text(), shapes.integer()])],
  ])('%s', (kind, arg) => {
    expect(kindOfArg(arg)).toBe(kind);
  });
});

describe('the value of words', () => {
  test.each<[Arg, string[], unknown]>([
    [text('A text.'), ['5'], '5'],
    [text('A text.', { default: null }), ['null'], 'null'],
    [
      either(
        'A text or null.',
        [shapes.text(), { schema: { type: 'null' }, expected: 'null', accepts: (value: unknown) => value === null }],
        {
          default: 'x',
        },
      ),
      ['null'],
      null,
    ],
    [path('A path.', { role: 'writes' }), ['-'], '-'],
    [flag('A switch.'), ['false'], false],
    [integer('A number.'), ['-5'], -5],
    [integer('A number.', { default: null }), ['null'], null],
    [number('A number.'), ['2.5e3'], 2500],
    [list('Texts.', shapes.text()), ['a', 'b'], ['a', 'b']],
    [list('Texts.', shapes.text()), ['[1]x'], ['[1]x']],
    [list('Texts.', shapes.text()), ['["a", "b"]'], ['a', 'b']],
    [list('Numbers.', shapes.integer()), ['1', '2'], [1, 2]],
    [record('An object.', shapes.json()), ['{"a": 1}'], { a: 1 }],
    [bytes('Bytes.'), ['text'], 'text'],
    [bytes('Bytes.'), ['{"base64": "AAE="}'], { base64: 'AAE=' }],
    [json('A value.'), ['true'], true],
    [json('A value.'), ['{not json'], '{not json'],
    [either('A text or a number.', [shapes.text(), shapes.integer()]), ['5'], 5],
    [integer('A number.'), ['${env:N}'], '${env:N}'],
  ])('%# %j', async (arg, words, value) => {
    expect(await read(arg, words)).toEqual(value);
  });

  test('- takes standard input for texts, bytes, JSON and lists', async () => {
    expect(await read(text('A text.'), ['-'], 'hi\n')).toBe('hi\n');
    expect(await read(bytes('Bytes.'), ['-'], '\u0000')).toEqual({ base64: 'AA==' });
    expect(await read(steps('Commands.'), ['-'], '[["FA_x"]]')).toEqual([['FA_x']]);
    expect(await read(list('Texts.', shapes.text()), ['-'], '["a"]')).toEqual(['a']);
  });

  test.each<[Arg, string[], string]>([
    [integer('A number.', { min: 1 }), ['0'], '--it must be a whole number of at least 1, not the number 0.'],
    [integer('A number.'), ['1e'], '--it must be a whole number, not "1e".'],
    [oneOf('A word.', ['skip', 'rename']), ['skpi'], '; did you mean skip?'],
    [list('Numbers.', shapes.integer()), ['1', 'x'], '--it[1] must be a whole number, not "x".'],
    [text('A text.'), ['a', 'b'], '--it is given 2 times; it takes one value.'],
    [record('An object.', shapes.json()), ['{'], '--it:1:2: '],
  ])('%# %j is refused: %s', async (arg, words, message) => {
    await expect(read(arg, words)).rejects.toThrow(message);
  });
});
