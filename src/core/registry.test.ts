import { describe, expect, test } from 'vitest';
import { type Action, defineAction, defineFamily } from './action.ts';
import { path, text } from './args.ts';
import { AddCommandException } from './errors.ts';
import { createRegistry, type LazyFamily, type Registry } from './registry.ts';
import * as shapes from './shapes.ts';

const action = (name: string, more: Partial<Action> = {}): Action =>
  defineAction({ name, summary: `Is called ${name}.`, args: {}, returns: shapes.json(), examples: [], run: () => name, ...more });

const refuses = (work: () => unknown, message: RegExp) => {
  expect(work).toThrow(AddCommandException);
  expect(work).toThrow(message);
};

/** A family of which it is known how often its code was loaded. */
const lazyFamily = (name: string, ...actions: readonly Action[]) => {
  let loaded = 0;
  const family: LazyFamily = {
    actions: actions.map((each) => ({ name: each.name, family: name, group: name, effects: [], steps: [], aliases: each.aliases ?? [] })),
    load: async () => {
      loaded += 1;
      return defineFamily({ name, group: name, summary: '', actions });
    },
  };
  return {
    family,
    get loaded() {
      return loaded;
    },
  };
};

const counting = (registry: Registry) => {
  let changes = 0;
  const stop = registry.onChange(() => {
    changes += 1;
  });
  return {
    stop,
    get changes() {
      return changes;
    },
  };
};

describe('registering', () => {
  test('a function or a definition makes its name known at once', () => {
    const registry = createRegistry();
    registry.register('FA_plain', () => 1);
    registry.register('FA_typed', action('FA_other', { args: { file: path('A file.', { role: 'reads' }) } }));
    expect(registry.names()).toEqual(['FA_plain', 'FA_typed']);
    expect(registry.resolve('FA_plain')?.plain).toBeTypeOf('function');
    expect(registry.resolve('FA_typed')?.keys).toEqual(['file']);
    expect(registry.about('FA_plain')).toMatchObject({ name: 'FA_plain', family: 'registered', effects: ['executes'] });
    expect(registry.about('FA_typed')).toMatchObject({ name: 'FA_typed', family: 'registered', effects: ['reads'] });
    expect(registry.size).toBe(2);
  });

  test.each(['', '1a', 'a b', 'FA-ä', '__proto__', `a${'b'.repeat(128)}`, 'a\n'])('refuses the name %j', (name) => {
    refuses(() => createRegistry().register(name, () => 1), /cannot name an action; use letters, digits and underscores/);
  });

  test.each(['FA_x', 'pkg_member', 'a.b-c', 'constructor', 'toString'])('takes the name %s', (name) => {
    const registry = createRegistry();
    registry.register(name, () => 1);
    expect(registry.names()).toEqual([name]);
  });

  test('refuses what is neither a function nor a definition', () => {
    const notActions: unknown[] = [null, undefined, 1, 'x', {}, { run: 1 }, { run: () => 1 }, []];
    for (const what of notActions)
      refuses(() => createRegistry().register('FA_x', what as never), /neither a function nor an action definition/);
  });

  test('refuses a name that is taken, unless it is to be replaced', () => {
    const registry = createRegistry();
    registry.register('FA_x', () => 1);
    refuses(() => registry.register('FA_x', () => 2), /An action called FA_x exists already/);
    registry.register('FA_x', action('FA_x'), { replace: true });
    expect(registry.resolve('FA_x')?.plain).toBeUndefined();
    expect(registry.size).toBe(1);
  });

  test('several at once is all or nothing', () => {
    const registry = createRegistry();
    registry.register('FA_b', () => 1);
    const watch = counting(registry);
    refuses(() => registry.registerMany({ FA_a: () => 1, FA_b: () => 1 }), /FA_b exists already/);
    refuses(() => registry.registerMany({ FA_a: () => 1, 'no name': () => 1 }), /cannot name/);
    expect([registry.names(), watch.changes]).toEqual([['FA_b'], 0]);
    registry.registerMany({ FA_a: () => 1, FA_c: () => 1 });
    expect([registry.names(), watch.changes]).toEqual([['FA_a', 'FA_b', 'FA_c'], 1]);
    registry.registerMany({});
    expect(watch.changes).toBe(1);
  });
});

describe('an alias', () => {
  test('leads to the action and is no name of its own', () => {
    const registry = createRegistry();
    registry.register('FA_new', action('FA_new', { aliases: ['FA_old'] }));
    expect(registry.resolve('FA_old')).toBe(registry.resolve('FA_new'));
    expect(registry.about('FA_old')?.name).toBe('FA_new');
    expect(registry.names()).toEqual(['FA_new']);
  });

  test('may not be taken, by itself or by another of the same call', () => {
    const registry = createRegistry();
    registry.register('FA_old', () => 1);
    refuses(() => registry.register('FA_new', action('FA_new', { aliases: ['FA_old'] })), /FA_old exists already/);
    expect(registry.names()).toEqual(['FA_old']);
    refuses(() => registry.registerMany({ FA_a: action('FA_a', { aliases: ['FA_b'] }), FA_b: () => 1 }), /FA_b exists already/);
    refuses(() => registry.register('FA_c', action('FA_c', { aliases: ['FA_c'] })), /FA_c exists already/);
    expect(registry.names()).toEqual(['FA_old']);
  });

  test('follows its action when that is replaced', () => {
    const registry = createRegistry();
    registry.register('FA_new', action('FA_new', { aliases: ['FA_old'] }));
    registry.register('FA_new', () => 'mine', { replace: true });
    expect(registry.resolve('FA_old')).toBe(registry.resolve('FA_new'));
  });

  test('can be replaced alone', () => {
    const registry = createRegistry();
    registry.register('FA_new', action('FA_new', { aliases: ['FA_old'] }));
    registry.register('FA_old', () => 'mine', { replace: true });
    expect(registry.names()).toEqual(['FA_new', 'FA_old']);
    expect(registry.resolve('FA_new')?.plain).toBeUndefined();
  });

  test('goes with its action', () => {
    const registry = createRegistry();
    registry.register('FA_new', action('FA_new', { aliases: ['FA_old'] }));
    expect(registry.unregister('FA_new')).toBe(true);
    expect([registry.size, registry.resolve('FA_old')]).toEqual([0, undefined]);
  });
});

describe('forgetting a name', () => {
  test('tells whether it was there', () => {
    const registry = createRegistry();
    registry.register('FA_x', () => 1);
    const watch = counting(registry);
    expect(registry.unregister('FA_x')).toBe(true);
    expect(registry.unregister('FA_x')).toBe(false);
    expect([registry.names(), registry.resolve('FA_x'), registry.about('FA_x'), watch.changes]).toEqual([[], undefined, undefined, 1]);
  });
});

describe('onlookers', () => {
  test('hear every change until they stop listening', () => {
    const registry = createRegistry();
    const watch = counting(registry);
    registry.register('FA_x', () => 1);
    registry.unregister('FA_x');
    expect(watch.changes).toBe(2);
    watch.stop();
    registry.register('FA_x', () => 1);
    expect(watch.changes).toBe(2);
  });

  test('see the change that they hear of', () => {
    const registry = createRegistry();
    const seen: (readonly string[])[] = [];
    registry.onChange(() => seen.push(registry.names()));
    registry.registerMany({ FA_x: () => 1, FA_y: () => 1 });
    registry.unregister('FA_x');
    expect(seen).toEqual([['FA_x', 'FA_y'], ['FA_y']]);
  });
});

describe('a lazy family', () => {
  test('is known without its code, which is loaded once and only when named', async () => {
    const registry = createRegistry();
    const one = lazyFamily('one', action('FA_a', { aliases: ['FA_alias'], args: { x: text('X.') } }), action('FA_b'));
    const two = lazyFamily('two', action('FA_c'));
    registry.registerFamily(one.family);
    registry.registerFamily(two.family);
    expect(registry.names()).toEqual(['FA_a', 'FA_b', 'FA_c']);
    expect(registry.about('FA_alias')).toMatchObject({ name: 'FA_a', family: 'one' });
    expect(registry.resolve('FA_a')).toBeUndefined();
    expect(registry.load(['FA_unknown'])).toBeUndefined();
    await Promise.all([registry.load(['FA_alias']), registry.load(['FA_b'])]);
    expect([one.loaded, two.loaded]).toEqual([1, 0]);
    expect(registry.resolve('FA_alias')?.keys).toEqual(['x']);
    expect(registry.load(['FA_a', 'FA_b'])).toBeUndefined();
  });

  test('is refused whole when one of its names is taken', () => {
    const registry = createRegistry();
    registry.register('FA_b', () => 1);
    refuses(() => registry.registerFamily(lazyFamily('one', action('FA_a'), action('FA_b')).family), /FA_b exists already/);
    expect(registry.names()).toEqual(['FA_b']);
  });

  test('keeps a replaced name replaced when its code arrives', async () => {
    const registry = createRegistry();
    registry.registerFamily(lazyFamily('one', action('FA_a'), action('FA_b')).family);
    const loading = registry.load(['FA_a']);
    registry.register('FA_a', () => 'mine', { replace: true });
    await loading;
    expect(registry.resolve('FA_a')?.plain).toBeTypeOf('function');
    expect(registry.resolve('FA_b')?.plain).toBeUndefined();
  });

  test('that could not be loaded is tried again', async () => {
    const registry = createRegistry();
    const { family } = lazyFamily('one', action('FA_a'));
    let attempts = 0;
    registry.registerFamily({
      ...family,
      load: () => {
        attempts += 1;
        return attempts === 1 ? Promise.reject(new Error('no disk')) : family.load();
      },
    });
    await expect(registry.load(['FA_a'])).rejects.toThrow('no disk');
    await registry.load(['FA_a']);
    expect(registry.resolve('FA_a')).toBeDefined();
  });
});
