import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Action, defineAction } from '../../core/action.ts';
import { bytes, either, flag, integer, json, list, number, oneOf, path, record, steps, text } from '../../core/args.ts';
import { ArgumentException } from '../../core/errors.ts';
import { LATER } from '../../core/planning.ts';
import { aboutAction, prepareAction, prepareFunction, type Ready } from '../../core/ready.ts';
import * as shapes from '../../core/shapes.ts';
import { asWritten, bind, bindEach, bindPlain } from './bind.ts';

const prepare = (action: Action): Ready => prepareAction(action, aboutAction(action, 'test', 'test'));

const ready = prepare(
  defineAction({
    name: 'FA_all',
    summary: 'Takes everything.',
    args: {
      name: text('A name.', { minLength: 1 }),
      count: integer('A number.', { default: 1, min: 1, max: 10 }),
      ratio: number('A ratio.', { default: 0.5, above: 0 }),
      on: flag('A switch.', { default: false }),
      mode: oneOf('A choice.', ['a', 'b'], { default: 'a' }),
      tags: list('Tags.', shapes.text(), { default: [] }),
      env: record('Variables.', shapes.text(), { default: {} }),
      where: path('A path.', { default: null }),
      data: json('Anything.', { default: 7 }),
      content: bytes('Bytes.', { default: null }),
      rules: list('Rules.', shapes.object({ field: shapes.text() }, { limit: shapes.number({ min: 0 }) }), { default: [] }),
      size: either('A size.', [shapes.number(), shapes.nullable(shapes.flag())], { default: 1 }),
      nested: steps('Commands.', { default: null }),
    },
    returns: shapes.json(),
    examples: [],
    run: () => null,
  }),
);

const asIs = (value: unknown) => value;
const refusalOf = (given: readonly unknown[] | { readonly [key: string]: unknown } | undefined, index = 3): ArgumentException => {
  try {
    bind(ready, given, asIs, index);
  } catch (fault) {
    if (fault instanceof ArgumentException) return fault;
    throw fault;
  }
  return expect.unreachable('the arguments were bound');
};

const DEFAULTS = {
  count: 1,
  ratio: 0.5,
  on: false,
  mode: 'a',
  tags: [],
  env: {},
  where: null,
  data: 7,
  content: null,
  rules: [],
  size: 1,
  nested: null,
};

describe('arguments are put to their names', () => {
  test('by name, with defaults for the rest', () => {
    expect(bind(ready, { mode: 'b', name: 'x' }, asIs, 0)).toEqual({ ...DEFAULTS, name: 'x', mode: 'b' });
  });

  test('by position, in the order of the definition', () => {
    expect(bind(ready, ['x', 2, 0.25, true], asIs, 0)).toEqual({ ...DEFAULTS, name: 'x', count: 2, ratio: 0.25, on: true });
  });

  test('alike in both ways, for every number of arguments', () => {
    const values = ['x', 5, 2, true, 'b', ['t'], { A: 'b' }, 'p', null, 'text', [{ field: 'f', limit: 1 }], null, [['FA_x']]];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: values.length }), (count) => {
        const given = values.slice(0, count);
        expect(bind(ready, given, asIs, 0)).toEqual(
          bind(ready, Object.fromEntries(given.map((value, at) => [ready.keys[at], value])), asIs, 0),
        );
      }),
    );
  });

  test('as bytes where bytes are taken', () => {
    expect(bind(ready, { name: 'x', content: 'é' }, asIs, 0).content).toEqual(Buffer.from('é'));
    expect(bind(ready, { name: 'x', content: { base64: '/w==' } }, asIs, 0).content).toEqual(Buffer.from([0xff]));
  });

  test('with null where the default is null, or where null is a value', () => {
    expect(bind(ready, { name: 'x', where: null, data: null, content: null, size: null, nested: null }, asIs, 0)).toEqual({
      ...DEFAULTS,
      name: 'x',
      data: null,
      size: null,
    });
  });
});

describe('a wrong argument is named with index, action, argument and place', () => {
  test.each<[string, readonly unknown[] | { readonly [key: string]: unknown } | undefined, string, string | undefined]>([
    ['missing', undefined, 'needs name (a text that is not empty).', 'name'],
    ['missing among others', { count: 2 }, 'needs name (a text that is not empty).', 'name'],
    ['missing by position', [], 'needs name (a text that is not empty).', 'name'],
    ['too many', Array.from({ length: 14 }, () => null), 'takes at most 13 arguments, not 14.', undefined],
    ['unknown', { name: 'x', nmae: 1 }, 'has no argument "nmae"; did you mean name?', 'nmae'],
    ['unknown and far from all', { name: 'x', zzzzzz: 1 }, `has no argument "zzzzzz"; it takes ${ready.keys.join(', ')}.`, 'zzzzzz'],
    ['an empty text', { name: '' }, 'name must be a text that is not empty, not "".', 'name'],
    ['a number for a text', { name: 5 }, 'name must be a text that is not empty, not the number 5.', 'name'],
    ['null for a text', { name: null }, 'name must be a text that is not empty, not null.', 'name'],
    ['a text for a number', { name: 'x', count: '5' }, 'count must be a whole number from 1 to 10, not "5".', 'count'],
    ['true for a number', { name: 'x', count: true }, 'count must be a whole number from 1 to 10, not true.', 'count'],
    ['null for a default that is not null', { name: 'x', count: null }, 'count must be a whole number from 1 to 10, not null.', 'count'],
    ['a fraction', { name: 'x', count: 1.5 }, 'count must be a whole number from 1 to 10, not a fraction.', 'count'],
    ['too small', { name: 'x', count: 0 }, 'count must be a whole number from 1 to 10, not the number 0.', 'count'],
    ['not above the limit', { name: 'x', ratio: 0 }, 'ratio must be a number above 0, not the number 0.', 'ratio'],
    ['one for a switch', { name: 'x', on: 1 }, 'on must be true or false, not the number 1.', 'on'],
    ['outside the choice', { name: 'x', mode: 'A' }, 'mode must be one of "a", "b", not "A".', 'mode'],
    ['a long text', { name: 'x', mode: 'y'.repeat(41) }, 'mode must be one of "a", "b", not a text.', 'mode'],
    ['a text for a list', { name: 'x', tags: 'y' }, 'tags must be a list, each a text, not "y".', 'tags'],
    ['a wrong item', { name: 'x', tags: ['y', 1] }, 'tags[1] must be a text, not the number 1.', 'tags[1]'],
    ['a wrong item by position', ['x', 1, 1, true, 'a', ['y', null]], 'tags[1] must be a text, not null.', 'tags[1]'],
    ['a list for an object', { name: 'x', env: [] }, 'env must be an object, each value a text, not a list.', 'env'],
    ['a wrong value of an object', { name: 'x', env: { PATH: 1 } }, 'env.PATH must be a text, not the number 1.', 'env.PATH'],
    ['an empty path', { name: 'x', where: '' }, 'where must be a path that is not empty, or null, not "".', 'where'],
    ['a path with a zero byte', { name: 'x', where: 'a\0b' }, 'where must be a path that is not empty, or null, not "a\\u0000b".', 'where'],
    [
      'bad base64',
      { name: 'x', content: { base64: '*' } },
      'content must be a text, or {"base64": "…"}, or null, not an object.',
      'content',
    ],
    [
      'a field that is missing',
      { name: 'x', rules: [{ field: 'a' }, {}] },
      'rules[1].field must be a text, not nothing.',
      'rules[1].field',
    ],
    [
      'a field that is wrong',
      { name: 'x', rules: [{ field: 'a', limit: -1 }] },
      'rules[0].limit must be a number of at least 0, not the number -1.',
      'rules[0].limit',
    ],
    [
      'a field that is unknown',
      { name: 'x', rules: [{ field: 'a', b: 1 }] },
      'rules[0].b must be one of the keys field, limit, not an unknown key.',
      'rules[0].b',
    ],
    ['none of several shapes', { name: 'x', size: 'big' }, 'size must be a number, or true or false, or null, not "big".', 'size'],
    [
      'a number for a list of commands',
      { name: 'x', nested: 5 },
      'nested must be a list of commands, or null, not the number 5.',
      'nested',
    ],
    ['a key of the prototype', JSON.parse('{"name":"x","__proto__":{}}'), 'has no argument "__proto__"', '__proto__'],
  ])('%s', (_, given, what, argument) => {
    const refusal = refusalOf(given);
    expect(refusal.message).toMatch(new RegExp(`^Command 3 \\(FA_all\\) ${what.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
    expect(refusal.context).toEqual({ index: 3, action: 'FA_all', ...(argument !== undefined && { argument }) });
  });

  test('and a name of any length is shortened', () => {
    expect(refusalOf({ name: 'x', ['y'.repeat(5_000)]: 1 }).message.length).toBeLessThan(500);
  });

  test('whatever the value: bound, or refused with that error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.jsonValue(), { maxLength: 14 }),
          fc.dictionary(fc.oneof(fc.constantFrom(...ready.keys), fc.string()), fc.jsonValue()),
        ),
        (given) => {
          try {
            expect(Object.keys(bind(ready, given as Readonly<Record<string, unknown>>, asIs, 0))).toEqual(ready.keys);
          } catch (fault) {
            expect(fault).toBeInstanceOf(ArgumentException);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('references', () => {
  const shout = (value: unknown) => (typeof value === 'string' ? `read ${value}` : { read: value });

  test('are read in what may hold one, and nowhere else', () => {
    const seen: unknown[] = [];
    const note = (value: unknown) => {
      seen.push(value);
      return value;
    };
    bind(ready, { name: '${a}', count: 1, on: true, mode: 'a', tags: ['x'], where: null, data: { k: '${b}' } }, note, 0);
    expect(seen).toEqual(['${a}', ['x'], { k: '${b}' }]);
  });

  test('are read before types are checked', () => {
    expect(bind(ready, { name: '${x}', data: '${y}' }, shout, 0)).toMatchObject({ name: 'read ${x}', data: 'read ${y}' });
    expect(() => bind(ready, { name: 'x', count: '${n}' }, () => 'five', 0)).toThrow(
      'count must be a whole number from 1 to 10, not "five".',
    );
    expect(bind(ready, { name: 'x', count: '${n}' }, () => 5, 0).count).toBe(5);
  });

  test('in a nested list stay as written, while one that stands for the list is read', () => {
    const nested = [['FA_x', { value: '${results[0].value}' }]];
    expect(bind(ready, { name: 'x', nested }, () => expect.unreachable(), 0).nested).toBe(nested);
    expect(bind(ready, { name: 'x', nested: '${results[0].value}' }, () => nested, 0).nested).toBe(nested);
  });

  test('to what is not yet known are not checked', () => {
    expect(bind(ready, { name: '${x}', count: '${y}' }, () => LATER, 0)).toMatchObject({ name: LATER, count: LATER });
  });

  test('see the index of their command', () => {
    expect(bind(ready, { name: '${x}' }, (_, index) => `at ${index}`, 12).name).toBe('at 12');
  });
});

describe('checking one by one', () => {
  const faultsOf = (given: readonly unknown[] | { readonly [key: string]: unknown } | undefined): string[] => {
    const faults: string[] = [];
    bindEach(ready, given, asIs, 0, (check) => {
      try {
        check();
      } catch (fault) {
        faults.push(String((fault as ArgumentException).context.argument));
      }
    });
    return faults;
  };

  test('finds what binding finds, and the rest as well', () => {
    expect(faultsOf({ name: 'x' })).toEqual([]);
    expect(faultsOf(undefined)).toEqual(['name']);
    expect(faultsOf({ count: 0, on: 1, other: 1 })).toEqual(['count', 'on', 'other', 'name']);
    expect(faultsOf([1, 0])).toEqual(['name', 'count']);
  });

  test('and binding agree on whether there is a fault', () => {
    const values = fc.oneof(fc.constantFrom('x', 1, true, null, undefined, 'a', ['t'], {}), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.oneof(fc.array(values, { maxLength: 14 }), fc.dictionary(fc.oneof(fc.constantFrom(...ready.keys), fc.string()), values)),
        (given) => {
          const written = given as Readonly<Record<string, unknown>>;
          let isBound = true;
          try {
            bind(ready, written, asIs, 0);
          } catch {
            isBound = false;
          }
          expect(faultsOf(written).length === 0).toBe(isBound);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('a plain function', () => {
  test('gets nothing, its list spread, or its object as one', () => {
    expect(bindPlain(undefined, asIs, 0)).toEqual([]);
    expect(bindPlain([1, 'a'], asIs, 0)).toEqual([1, 'a']);
    expect(bindPlain({ a: 1 }, asIs, 0)).toEqual([{ a: 1 }]);
    expect(bindPlain([], asIs, 0)).toEqual([]);
  });
});

describe('arguments as written', () => {
  test('carry their names where they have them', () => {
    expect(asWritten(ready, undefined)).toEqual({});
    expect(asWritten(ready, ['${x}', 2])).toEqual({ name: '${x}', count: 2 });
    expect(asWritten(ready, { name: '${x}' })).toEqual({ name: '${x}' });
    expect(
      asWritten(
        prepareFunction('FA_f', () => 1),
        [1, 2],
      ),
    ).toEqual([1, 2]);
    expect(asWritten(undefined, [1, 2])).toEqual([1, 2]);
  });
});
