import { describe, expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import type { Action } from '../../../src/core/action.ts';
import { steps, text } from '../../../src/core/args.ts';
import { stepsOf } from '../../../src/core/effects.ts';
import { createRegistry, type LazyFamily } from '../../../src/core/registry.ts';
import * as shapes from '../../../src/core/shapes.ts';
import { openHouse } from '../../support/house.ts';
import { waitingActions } from '../../support/waiting-actions.ts';

describe('a plain function', () => {
  test('is called with nothing, with a list spread, or with one object', async () => {
    await using house = openHouse({ env: { X: 'x' } });
    const calls: unknown[][] = [];
    house.factotum.registry.register('FA_plain', (...args: unknown[]) => {
      calls.push(args);
      return calls.length;
    });
    const { results } = await house.run([
      ['FA_plain'],
      ['FA_plain', [1, '${env:X}', [2]]],
      ['FA_plain', { a: '${results[0].value}', b: ['${env:X}'] }],
      ['FA_plain', []],
      ['FA_plain', {}],
    ]);
    expect(calls).toEqual([[], [1, 'x', [2]], [{ a: 1, b: ['x'] }], [], [{}]]);
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5]);
  });

  test('may take its time', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_later', async (value: string) => `${value}!`);
    expect((await house.run([['FA_later', ['x']]])).results[0]?.value).toBe('x!');
  });
});

describe('a change of the registry', () => {
  test('is seen at once by every instance that shares it, and by lists that are running', async () => {
    const registry = createRegistry();
    const waiting = waitingActions();
    registry.registerMany(waiting.actions);
    await using one = createInstance({ registry, log: { level: 'silent' } });
    await using other = createInstance({ registry, log: { level: 'silent' } });
    const running = one.run([['FA_t_wait', ['x']], ['FA_new'], ['FA_new', { inside: 1 }]]);
    await waiting.untilBegun(1);
    registry.register('FA_new', () => 'new');
    expect((await other.run([['FA_new']])).results[0]?.value).toBe('new');
    waiting.release('x');
    expect((await running).results.map(({ value }) => value)).toEqual(['x', 'new', 'new']);
  });

  test('takes a name away and gives it another meaning', async () => {
    await using house = openHouse();
    const { registry } = house.factotum;
    registry.register('FA_x', () => 'first');
    registry.register('FA_x', () => 'second', { replace: true });
    expect((await house.run([['FA_x']])).results[0]?.value).toBe('second');
    registry.unregister('FA_x');
    expect((await house.run([['FA_x']])).results[0]?.error?.type).toBe('UnknownActionException');
  });

  test('made by an action holds for the commands after it', async () => {
    await using house = openHouse();
    const { registry } = house.factotum;
    registry.register('FA_add', () => registry.register('FA_added', () => 'there'));
    expect((await house.run([['FA_added'], ['FA_add'], ['FA_added']])).results.map(({ status }) => status)).toEqual(['failed', 'ok', 'ok']);
  });

  test('of one instance is not seen by another with its own registry', async () => {
    await using one = openHouse();
    await using other = openHouse();
    one.factotum.registry.register('FA_mine', () => 1);
    expect((await other.run([['FA_mine']])).results[0]?.error?.type).toBe('UnknownActionException');
  });
});

describe('an alias', () => {
  test('runs the action and stands in the result as it was written', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_new', {
      name: 'FA_new',
      aliases: ['FA_old'],
      summary: 'New.',
      args: { x: text('X.') },
      returns: shapes.json(),
      examples: [],
      run: (_, { x }) => x,
    });
    const { results } = await house.run([
      ['FA_old', ['v']],
      ['FA_old', {}],
    ]);
    expect(results).toMatchObject([
      { action: 'FA_old', status: 'ok', value: 'v' },
      { action: 'FA_old', error: { type: 'ArgumentException', context: { action: 'FA_new', argument: 'x' } } },
    ]);
  });
});

describe('code', () => {
  const action = (name: string, args: Action['args'] = {}): Action => ({
    name,
    summary: '',
    args,
    returns: shapes.json(),
    examples: [],
    run: () => name,
  });

  const counted = (...actions: readonly Action[]) => {
    let loaded = 0;
    const family: LazyFamily = {
      actions: actions.map(({ name, args }) => ({ name, family: name, group: 'g', effects: [], steps: stepsOf(args), aliases: [] })),
      load: async () => {
        loaded += 1;
        return { name: 'f', group: 'g', summary: '', actions };
      },
    };
    return { family, loaded: () => loaded };
  };

  test('is loaded for the names of a list at every depth, once, and for no others', async () => {
    const [a, b, nested, never] = [
      counted(action('FA_a', { list: steps('L.', { default: null }) }), action('FA_a2')),
      counted(action('FA_b')),
      counted(action('FA_nested')),
      counted(action('FA_never')),
    ];
    const registry = createRegistry();
    for (const { family } of [a, b, nested, never]) registry.registerFamily(family);
    await using house = createInstance({ registry, log: { level: 'silent' } });
    expect(registry.names()).toHaveLength(5);
    const result = await house.run([
      ['FA_a', { list: [['FA_b', { list: [['FA_never']] }], ['FA_a2'], ['FA_nested']] }],
      ['FA_a'],
      ['FA_unknown'],
    ]);
    expect(result.counts).toMatchObject({ ok: 2, failed: 1 });
    expect([a, b, nested, never].map(({ loaded }) => loaded())).toEqual([1, 1, 1, 0]);
    await house.run([['FA_a2'], ['FA_b']]);
    expect([a, b, nested, never].map(({ loaded }) => loaded())).toEqual([1, 1, 1, 0]);
  });

  test('of a list that is refused for rights is not loaded', async () => {
    await using house = openHouse();
    const { family, loaded } = counted(action('FA_a'));
    house.factotum.registry.registerFamily(family);
    await house.refusal([['FA_a'], ['FA_t_deny']], { acl: { deny: ['FA_t_deny'] } });
    expect(loaded()).toBe(0);
  });
});
