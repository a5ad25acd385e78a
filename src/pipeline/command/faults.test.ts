import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse, type TestHouse } from '../../../test/support/house.ts';
import type { Action } from '../../core/action.ts';
import { TextOpsException } from '../../core/errors.ts';
import type { LazyFamily } from '../../core/registry.ts';
import * as shapes from '../../core/shapes.ts';

const action = (name: string, run: Action['run']): Action => ({
  name,
  summary: 'Is a test.',
  args: {},
  returns: shapes.json(),
  examples: [],
  run,
});

/** A family as the built-in ones are: a fault of its actions is a bug of ours. */
const builtIn = (...actions: readonly Action[]): LazyFamily => ({
  actions: actions.map(({ name }) => ({ name, family: 'test', group: 'test', effects: [], steps: [], aliases: [] })),
  load: async () => ({ name: 'test', group: 'test', summary: 'For tests.', actions }),
});

const errorOf = async (house: TestHouse, name = 'FA_x') => (await house.run([[name], ['FA_t_touch']])).results;

const throwing = (fault: unknown) => () => {
  throw fault;
};

describe('a registered function', () => {
  const hostile = { toString: throwing(new Error('no text')) };
  test.each<[string, unknown, string]>([
    ['an error', new Error('disk is full'), 'FA_x failed: disk is full'],
    ['an error without words', new TypeError(''), 'FA_x failed: TypeError'],
    ['a text', 'just text', 'FA_x failed: just text'],
    ['nothing', undefined, 'FA_x failed: undefined'],
    ['an object', { code: 5 }, 'FA_x failed: { code: 5 }'],
    ['an object without a prototype', Object.create(null), 'FA_x failed: [Object: null prototype] {}'],
    ['an object that refuses to become text', hostile, 'FA_x failed: '],
  ])('that throws %s fails its command with what it said, and nothing else', async (_, fault, message) => {
    await using house = openHouse();
    house.factotum.registry.register('FA_x', throwing(fault));
    const [entry, next] = await errorOf(house);
    expect(entry).toMatchObject({
      status: 'failed',
      error: { type: 'ExecuteActionException', message: expect.stringContaining(message), retryable: false, context: { action: 'FA_x' } },
    });
    expect(next?.status).toBe('ok');
  });

  test('that rejects fails in the same way', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_x', () => Promise.reject(new Error('later')));
    expect((await errorOf(house))[0]?.error).toMatchObject({ type: 'ExecuteActionException', message: 'FA_x failed: later' });
  });

  test('that throws one of our errors keeps it', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_x', throwing(new TextOpsException('bad text', { context: { at: 3 }, retryable: true })));
    expect((await errorOf(house))[0]?.error).toEqual({
      type: 'TextOpsException',
      message: 'bad text',
      retryable: true,
      context: { at: 3 },
    });
  });

  test('that meets a fault of the system says so in its own words, and whether it may pass', async () => {
    await using house = openHouse();
    house.factotum.registry.registerMany({
      FA_read: () => readFileSync('/no/such/file'),
      FA_connect: throwing(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED', syscall: 'connect' })),
    });
    const { results } = await house.run([['FA_read'], ['FA_connect']]);
    expect(results.map(({ error }) => error)).toMatchObject([
      { type: 'ExecuteActionException', message: expect.stringMatching(/^FA_read failed: ENOENT/), retryable: false },
      { type: 'ExecuteActionException', message: 'FA_connect failed: connect ECONNREFUSED 127.0.0.1:1', retryable: true },
    ]);
  });

  test('that is a definition fails like a function', async () => {
    await using house = openHouse();
    house.factotum.registry.register('FA_x', action('FA_other', throwing(new Error('broken'))));
    expect((await errorOf(house))[0]?.error).toMatchObject({ type: 'ExecuteActionException', message: 'FA_x failed: broken' });
  });
});

describe('a built-in action', () => {
  test('with a bug shows nothing of the inside; the log has the stack under the run', async () => {
    await using house = openHouse({ logLevel: 'error' });
    house.factotum.registry.registerFamily(
      builtIn(action('FA_x', throwing(new TypeError("Cannot read properties of undefined (reading 'secretInside')")))),
    );
    const result = await house.run([['FA_x'], ['FA_t_touch']]);
    expect(result.results[0]?.error).toEqual({
      type: 'InternalException',
      message: `Something went wrong inside FA_x; the log has the details under run ${result.run_id}.`,
      retryable: false,
      context: {},
    });
    expect(result.results[1]?.status).toBe('ok');
    expect(house.lines).toHaveLength(1);
    expect(JSON.parse(house.lines[0] ?? '')).toMatchObject({
      level: 'error',
      run_id: result.run_id,
      action: 'FA_x',
      stack: expect.stringMatching(/secretInside[\s\S]*faults\.test\.ts/),
    });
  });

  test('that meets a fault of the file system tells it in our words', async () => {
    await using house = openHouse();
    house.factotum.registry.registerFamily(builtIn(action('FA_x', () => readFileSync('/no/such/file'))));
    expect((await errorOf(house))[0]?.error).toMatchObject({
      type: 'FileNotExistsException',
      message: 'No file at /no/such/file; check the path.',
    });
  });

  test('whose code cannot be loaded fails alone, and the log says why', async () => {
    await using house = openHouse({ logLevel: 'error' });
    house.factotum.registry.registerFamily({
      ...builtIn(action('FA_x', () => 1)),
      load: () => Promise.reject(new Error('Cannot find module')),
    });
    const results = await errorOf(house);
    expect(results.map(({ status }) => status)).toEqual(['failed', 'ok']);
    expect(results[0]?.error).toMatchObject({
      type: 'InternalException',
      message: 'The code of FA_x could not be loaded; the log has the details.',
    });
    expect(house.lines.join()).toContain('Cannot find module');
  });
});

describe('the value of a command', () => {
  test.each<[string, unknown, unknown]>([
    ['nothing', undefined, null],
    ['bytes', Buffer.from('hi'), { base64: 'aGk=' }],
    ['a whole number beyond 2^53', 2n ** 60n, '1152921504606846976'],
    ['an own thenable', { then: (resolve: (value: string) => void) => resolve('then') }, 'then'],
  ])('%s travels as JSON', async (_, given, value) => {
    await using house = openHouse();
    house.factotum.registry.register('FA_x', () => given);
    expect((await errorOf(house))[0]?.value).toEqual(value);
  });
});

describe('a name nobody knows', () => {
  test('is refused with the nearest one', async () => {
    await using house = openHouse();
    expect((await errorOf(house, 'FA_t_tuoch'))[0]?.error).toEqual({
      type: 'UnknownActionException',
      message: 'Command 0: no action is called "FA_t_tuoch"; did you mean FA_t_touch?',
      retryable: false,
      context: { index: 0, action: 'FA_t_tuoch' },
    });
    expect((await errorOf(house, 'FA_nothing_is_like_this_one_here'))[0]?.error?.message).toMatch(
      /; `factotum actions` lists all names\.$/,
    );
  });

  test('gets no suggestion any more after a hundred of them, which would cost more than all the rest', async () => {
    await using house = openHouse({ logLevel: 'error' });
    const list = Array.from({ length: 300 }, (_, at) => [`FA_t_touch${at}`]);
    const hinted = (messages: readonly (string | undefined)[]) =>
      messages.filter((message) => message?.includes('did you mean FA_t_touch?')).length;
    expect(hinted((await house.run(list)).results.map(({ error }) => error?.message))).toBe(100);
    const { context } = await house.refusal({ actions: list, validate_first: true });
    const problems = context.problems as unknown as readonly { readonly message: string }[]; // as validate writes them
    expect([problems.length, hinted(problems.map(({ message }) => message))]).toEqual([300, 100]);
  });
});
