import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DagException, FileAutomationException, JsonActionException } from '../../core/errors.ts';
import { parse } from './parse.ts';

const refusalOf = (request: unknown): FileAutomationException => {
  try {
    return expect.unreachable(`not refused: ${JSON.stringify(parse(request))}`);
  } catch (fault) {
    if (fault instanceof FileAutomationException) return fault;
    throw fault;
  }
};

describe('a bare list', () => {
  test('is serial, with every option at its default', () => {
    expect(parse([['FA_a'], ['FA_b', { x: 1 }], ['FA_c', [1]]])).toEqual({
      mode: 'serial',
      validateFirst: false,
      dryRun: false,
      maxWorkers: 4,
      failFast: true,
      stopOnError: false,
      maxBytes: 0,
      maxSeconds: 0,
      commands: [
        { index: 0, name: 'FA_a', given: undefined, fault: undefined },
        { index: 1, name: 'FA_b', given: { x: 1 }, fault: undefined },
        { index: 2, name: 'FA_c', given: [1], fault: undefined },
      ],
    });
  });

  test('keeps a malformed command at its place, with its name where it has one', () => {
    const { commands } = parse([['FA_a', {}, {}], 'FA_a', [7]]);
    expect(commands.map(({ index, name }) => [index, name])).toEqual([
      [0, 'FA_a'],
      [1, null],
      [2, null],
    ]);
    expect(commands.map(({ fault }) => fault?.message)).toEqual([
      'Command 0 (FA_a) is malformed: it has 3 elements; put all arguments into one object or list.',
      'Command 1 is malformed: a command is [name], [name, {…}] or [name, […]], not a text; give it brackets of its own: ["FA_a", …].',
      "Command 2 is malformed: its first element must be an action's name, not the number 7.",
    ]);
  });

  test('with holes has a malformed command at each hole', () => {
    const sparse: unknown[] = new Array(2);
    sparse[1] = ['FA_a'];
    expect(parse(sparse).commands.map(({ name, fault }) => [name, fault?.type])).toEqual([
      [null, 'ExecuteActionException'],
      ['FA_a', undefined],
    ]);
  });

  test('holds up to 100,000 commands', () => {
    const commands = new Array(100_000).fill(['FA_a']);
    expect(parse(commands).commands).toHaveLength(100_000);
    const refusal = refusalOf([...commands, ['FA_a']]);
    expect(refusal).toBeInstanceOf(JsonActionException);
    expect(refusal.context).toEqual({ limit: 100_000 });
  });
});

describe('a wrapped list', () => {
  test('takes every option', () => {
    const job = parse({
      actions: [],
      mode: 'parallel',
      validate_first: true,
      dry_run: true,
      max_workers: 9,
      expect_plan: 'abc',
      name: 'nightly',
      quota: { max_bytes: 10, max_seconds: 0.5 },
      stop_on_error: false,
    });
    expect(job).toEqual({
      mode: 'parallel',
      commands: [],
      validateFirst: true,
      dryRun: true,
      maxWorkers: 9,
      failFast: true,
      stopOnError: false,
      expectPlan: 'abc',
      label: 'nightly',
      maxBytes: 10,
      maxSeconds: 0.5,
    });
  });

  test('may use the older word for its commands, but not both', () => {
    expect(parse({ auto_control: [['FA_a']] })).toEqual(parse({ actions: [['FA_a']] }));
    expect(refusalOf({ actions: [], auto_control: [] }).message).toBe('Both "actions" and "auto_control" are given; keep one of them.');
  });

  test.each([
    [{ mode: 'turbo' }, '"mode" must be "serial" or "parallel", not a text.'],
    [{ validate_first: 1 }, '"validate_first" must be true or false, not the number 1.'],
    [{ dry_run: null }, '"dry_run" must be true or false, not null.'],
    [{ max_workers: 0 }, '"max_workers" must be a whole number of at least 1, not the number 0.'],
    [{ max_workers: 1.5 }, '"max_workers" must be a whole number of at least 1, not a fraction.'],
    [{ expect_plan: 1 }, '"expect_plan" must be a text, not the number 1.'],
    [{ name: [] }, '"name" must be a text, not a list.'],
    [{ quota: 5 }, '"quota" must be an object with max_bytes and max_seconds, not the number 5.'],
    [{ quota: { max_bytes: 1.5 } }, '"max_bytes" must be a whole number, not a fraction.'],
    [{ quota: { max_seconds: '1' } }, '"max_seconds" must be a number, not a text.'],
    [{ stop_on_error: 'yes' }, '"stop_on_error" must be true or false, not a text.'],
    [{ stop_on_error: true, mode: 'parallel' }, '"stop_on_error" works in serial lists only; leave it out or use "mode": "serial".'],
    [{ fail_fast: true }, /^The key "fail_fast" is unknown here/],
  ])('refuses the option %j', (option, message) => {
    const refusal = refusalOf({ actions: [], ...option });
    expect(refusal).toBeInstanceOf(JsonActionException);
    expect(refusal.message).toMatch(message);
  });

  test.each([
    [{ actions: [], dryrun: true }, 'did you mean dry_run?'],
    [{ actions: [], maxWorkers: 3 }, 'did you mean max_workers?'],
    [{ actions: [], validate_frist: true }, 'did you mean validate_first?'],
    [{ action: [] }, 'did you mean actions?'],
    [{ Actions: [] }, 'did you mean actions?'],
    [{ actions: [], quota: { max_byte: 1 } }, 'did you mean max_bytes?'],
    [{ nodes: [], failfast: true }, 'did you mean fail_fast?'],
    [{ actions: [], shell: true }, 'known are actions, auto_control, mode'],
  ])('proposes the nearest key for %j', (request, hint) => {
    expect(refusalOf(request).message).toContain(hint);
  });

  test.each([[null], [true], [5], ['FA_a'], [{}], [{ actions: null }], [{ actions: {} }], [undefined]])(
    'refuses %j as a whole',
    (request) => {
      expect(refusalOf(request)).toBeInstanceOf(JsonActionException);
    },
  );
});

describe('a graph', () => {
  test('takes the options of its nodes', () => {
    const { mode, failFast, commands } = parse({
      fail_fast: false,
      nodes: [
        { id: 'a', action: ['FA_a'], depends_on: [] },
        { id: 'b', action: ['FA_b', { x: 1 }], depends_on: ['a', 'a'], retry: { attempts: 2 }, timeout_s: 1.5, run: 'always' },
        { id: 'c', action: ['FA_c'] },
      ],
    });
    expect({ mode, failFast }).toEqual({ mode: 'graph', failFast: false });
    expect(commands).toEqual([
      { index: 0, name: 'FA_a', given: undefined, fault: undefined, id: 'a', after: [] },
      {
        index: 1,
        name: 'FA_b',
        given: { x: 1 },
        fault: undefined,
        id: 'b',
        after: ['a', 'a'],
        retry: { attempts: 2, backoffS: 0.5, capS: 8 },
        timeoutS: 1.5,
        always: true,
      },
      { index: 2, name: 'FA_c', given: undefined, fault: undefined, id: 'c', after: [] },
    ]);
  });

  const node = { id: 'a', action: ['FA_a'] };
  test.each<[string, unknown, string]>([
    ['no object', [], 'Node 0 cannot be used: it must be an object with id and action, not a list.'],
    ['no id', { action: ['FA_a'] }, 'Node 0 cannot be used: it has no id.'],
    ['an empty id', { ...node, id: '' }, 'Node 0 cannot be used: its id must be a text that is not empty.'],
    ['no action', { id: 'a' }, 'Node 0 (a) cannot be used: it has no action.'],
    [
      'a malformed action',
      { id: 'a', action: 'FA_a' },
      'Node 0 (a) cannot be used: Command 0 is malformed: a command is [name], [name, {…}] or [name, […]], not a text; give it brackets of its own: ["FA_a", …].',
    ],
    ['a dependency that is no text', { ...node, depends_on: [1] }, 'Node 0 (a) cannot be used: its depends_on must be a list of node ids.'],
    ['null for its dependencies', { ...node, depends_on: null }, 'Node 0 (a) cannot be used: its depends_on must be a list of node ids.'],
    ['an unknown key', { ...node, depends: [] }, 'Node 0 (a) cannot be used: its key "depends" is unknown.'],
    ['a misspelt key', { ...node, dependson: [] }, 'Node 0 (a) cannot be used: its key "dependson" is unknown; did you mean depends_on?'],
    ['a run that is not always', { ...node, run: 'never' }, 'Node 0 (a) cannot be used: its run can only be "always".'],
    ['no time', { ...node, timeout_s: 0 }, 'Node 0 (a) cannot be used: its timeout_s must be a number above 0.'],
    [
      'a retry that is a number',
      { ...node, retry: 3 },
      'Node 0 (a) cannot be used: its retry must be an object with attempts, backoff_s and cap_s.',
    ],
    [
      'no attempts',
      { ...node, retry: { attempts: 0 } },
      'Node 0 (a) cannot be used: its retry.attempts must be a whole number of at least 1.',
    ],
    [
      'a negative back-off',
      { ...node, retry: { backoff_s: -1 } },
      'Node 0 (a) cannot be used: its retry.backoff_s and retry.cap_s must be numbers of at least 0.',
    ],
    [
      'a misspelt retry',
      { ...node, retry: { attempt: 2 } },
      'Node 0 (a) cannot be used: its key "attempt" is unknown; did you mean attempts?',
    ],
  ])('with a node that has %s is refused', (_, bad, message) => {
    const refusal = refusalOf({ nodes: [bad] });
    expect(refusal).toBeInstanceOf(DagException);
    expect(refusal.message).toBe(message);
  });

  test('takes stop_on_error and mode for mistakes', () => {
    expect(refusalOf({ nodes: [], stop_on_error: true })).toBeInstanceOf(JsonActionException);
    expect(refusalOf({ nodes: [], mode: 'serial' })).toBeInstanceOf(JsonActionException);
  });
});

describe('arbitrary data', () => {
  const keys = fc.constantFrom(
    'actions',
    'auto_control',
    'nodes',
    'mode',
    'dry_run',
    'max_workers',
    'quota',
    'name',
    'fail_fast',
    'expect_plan',
    'id',
    'action',
    'depends_on',
    'retry',
    '__proto__',
  );
  const words = fc.constantFrom('FA_a', 'serial', 'parallel', 'always', 'a', '');
  const { list } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.jsonValue(), words, fc.integer(), fc.constant(undefined)),
    list: fc.oneof({ maxDepth: 4 }, tie('leaf'), fc.array(tie('list'), { maxLength: 4 }), fc.dictionary(keys, tie('list'), { maxKeys: 4 })),
  }));

  test('gives a job or a typed error, and never anything else', () => {
    fc.assert(
      fc.property(list, (request) => {
        try {
          const { commands } = parse(request);
          expect(commands.map(({ index }) => index)).toEqual(commands.map((_, at) => at));
        } catch (fault) {
          expect(fault).toSatisfy((each) => each instanceof JsonActionException || each instanceof DagException);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
