import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { defineAction } from '../core/action.ts';
import type { Context } from '../core/context.ts';
import * as shapes from '../core/shapes.ts';
import { createInstance } from './create.ts';

setFlagsFromString('--allow-natives-syntax');
/** Whether V8 finds the properties of an object by their place; in a table every look costs several times as much. */
const isFast = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean;

test('what every command looks things up in is no table', async () => {
  await using factotum = createInstance({ log: { level: 'silent' } });
  const met: Context[] = [];
  const look = defineAction({
    name: 'FA_t_look',
    summary: 'Looks at its context.',
    args: {},
    returns: shapes.integer(),
    examples: [],
    run: (context) => met.push(context),
  });
  factotum.registry.register(look.name, look);
  await factotum.run([['FA_t_look']]);
  const [context] = met;
  expect(isFast(factotum.registry)).toBe(true);
  expect(isFast(context?.services ?? {})).toBe(true);
  expect(isFast(context ?? {})).toBe(true);
});
