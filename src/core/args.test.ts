import { describe, expect, test } from 'vitest';
import { type Action, defineAction } from './action.ts';
import {
  type Arg,
  actionName,
  bytes,
  either,
  flag,
  integer,
  json,
  list,
  nodes,
  number,
  oneOf,
  path,
  paths,
  record,
  steps,
  text,
} from './args.ts';
import * as shapes from './shapes.ts';

describe('an argument', () => {
  test('is required unless it has a default, be it null', () => {
    expect(text('A.')).toMatchObject({ optional: false, fallback: undefined, description: 'A.', roles: [] });
    expect(text('A.', { default: 'x' })).toMatchObject({ optional: true, fallback: 'x' });
    expect(text('A.', { default: null })).toMatchObject({ optional: true, fallback: null });
  });

  test('takes null only where its default is null', () => {
    expect(integer('A.', { default: 1 }).accepts(null)).toBe(false);
    expect(integer('A.', { default: null }).accepts(null)).toBe(true);
    expect(integer('A.', { default: null, min: 1 }).accepts(0)).toBe(false);
  });

  test.each<[string, Arg, readonly unknown[], readonly unknown[]]>([
    ['text', text('A.', { maxLength: 2 }), ['', 'ab'], ['abc', 1]],
    ['path', path('A.'), ['a', '/a/../b', ' ', './~/a', '~a', 'a~', '/a/~/b'], ['', 'a\0', 1, '~', '~/a', '~\\a']],
    ['paths', paths('A.'), [[], ['a']], [[''], 'a', ['a', '~/b']]],
    ['flag', flag('A.'), [true], [1, 'true']],
    ['integer', integer('A.', { min: 0 }), [0, 5], [-1, 0.5, '0']],
    ['number', number('A.', { max: 1 }), [1, -5.5], [2, Number.NaN]],
    ['oneOf', oneOf('A.', ['a', 'b']), ['a'], ['c', 'A', 'toString']],
    ['list', list('A.', shapes.integer(), { minItems: 1 }), [[1]], [[], ['1'], 1]],
    ['record', record('A.', shapes.flag()), [{}, { a: true }], [{ a: 1 }, []]],
    ['bytes', bytes('A.'), ['a', { base64: '' }], [1, { base64: 'x', more: 1 }]],
    ['json', json('A.'), [null, 1, {}], []],
    ['either', either('A.', [shapes.text(), shapes.integer()]), ['a', 1], [true]],
    ['steps', steps('A.'), [[], { actions: [] }], ['x', null, 1]],
    ['nodes', nodes('A.'), [[]], [{}, null]],
    ['actionName', actionName('A.'), ['FA_x'], ['', 1]],
  ])('of kind %s takes its values and no others', (_, arg, good, bad) => {
    expect(good.filter((value) => !arg.accepts(value))).toEqual([]);
    expect(bad.filter((value) => arg.accepts(value))).toEqual([]);
  });

  test('carries its roles, one or several', () => {
    expect(path('A.', { role: 'reads' }).roles).toEqual(['reads']);
    expect(path('A.', { role: ['reads', 'removes'] }).roles).toEqual(['reads', 'removes']);
    expect(steps('A.').roles).toEqual(['steps']);
    expect(path('A.', { mayBeMissing: true }).mayBeMissing).toBe(true);
    expect(path('A.').mayBeMissing).toBeUndefined();
  });
});

test('the types of a definition follow its arguments', () => {
  const action = defineAction({
    name: 'FA_typed',
    summary: 'Is checked by the compiler.',
    args: {
      name: text('A.'),
      count: integer('B.', { default: 1 }),
      where: path('C.', { default: null }),
      mode: oneOf('D.', ['a', 'b'], { default: 'a' }),
      content: bytes('E.'),
    },
    returns: shapes.json(),
    examples: [{ args: { name: 'x', content: 'text' } }],
    run(_, { name, count, where, mode, content }) {
      const all: [string, number, string | null, 'a' | 'b', Uint8Array] = [name, count, where, mode, content];
      return all;
    },
  });
  const erased: Action = action;
  expect(Object.keys(erased.args)).toEqual(['name', 'count', 'where', 'mode', 'content']);
});
