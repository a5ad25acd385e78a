import { describe, expect, test } from 'vitest';
import { actionName, nodes, path, type Role, steps, text } from './args.ts';
import { effectsOf, stepsOf } from './effects.ts';

describe('the effects of an action', () => {
  test.each<[Role, string[]]>([
    ['reads', ['reads']],
    ['readsTree', ['reads']],
    ['writes', ['writes']],
    ['writesTree', ['writes']],
    ['removes', ['removes']],
    ['removesTree', ['removes']],
    ['url', ['network']],
    ['host', ['network']],
    ['readsLocation', ['reads', 'network']],
    ['writesLocation', ['writes', 'network']],
    ['removesLocation', ['removes', 'network']],
    ['sink', ['network']],
    ['command', ['executes']],
    ['steps', ['steps']],
    ['secret', []],
  ])('with an argument that %s are %j', (role, effects) => {
    expect(effectsOf({ one: text('One.', { role }) })).toEqual(effects);
  });

  test('add up, each once and in one order, whatever the order of the arguments', () => {
    const args = {
      nested: steps('Nested.'),
      a: path('A.', { role: ['removes', 'reads'] }),
      b: path('B.', { role: 'writes' }),
      c: path('C.', { role: 'reads' }),
    };
    expect(effectsOf(args)).toEqual(['reads', 'writes', 'removes', 'steps']);
    expect(effectsOf(Object.fromEntries(Object.entries(args).reverse()))).toEqual(['reads', 'writes', 'removes', 'steps']);
    expect(effectsOf({ plain: text('Plain.') })).toEqual([]);
  });
});

test('nested commands are found by name and position', () => {
  const args = { a: text('A.'), list: steps('L.', { names: ['item'] }), graph: nodes('G.'), called: actionName('N.') };
  expect(stepsOf(args)).toEqual([
    { key: 'list', at: 1, form: 'list', names: ['item'] },
    { key: 'graph', at: 2, form: 'nodes', names: [] },
    { key: 'called', at: 3, form: 'name', names: [] },
  ]);
});
