import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpDoor, openHttpDoor } from '../../test/support/http-door.ts';
import type { ActionMap } from '../app/actions.generated.ts';
import { ActionFailure, errors, HTTPActionClient, HTTPActionClientException, literal } from './index.ts';

/** The actions of the test house that are used here, beside the built-in ones. */
type HouseMap = ActionMap & {
  FA_t_echo: { args: { readonly value: unknown }; value: unknown };
  FA_t_touch: { args: Readonly<Record<string, never>>; value: number };
};

const SECRET = 'secret-0123456789abcdef';
const READER = 'reader-0123456789abcdef';

let door: HttpDoor;
let client: HTTPActionClient<HouseMap>;
beforeAll(async () => {
  door = await openHttpDoor({
    house: { files: { 'a.txt': 'hello' } },
    service: { sharedSecret: SECRET, tokens: [{ name: 'reader', secret: READER, allow: ['FA_stat', 'FA_read_file'] }] },
  });
  client = new HTTPActionClient(door.url, { sharedSecret: SECRET });
});
afterAll(() => door[Symbol.asyncDispose]());

/** What a promise is rejected with. */
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => Promise.reject(new Error(`It gave ${JSON.stringify(value)}.`)),
    (fault: unknown) => fault,
  );

describe('runs', () => {
  test('a list, and gives what became of each command', async () => {
    const { ok, results } = await client.execute([
      ['FA_read_file', { file_path: 'a.txt' }],
      ['FA_read_file', ['missing.txt']],
    ]);
    expect(ok).toBe(false);
    expect(results[0].status === 'ok' && results[0].value).toBe('hello');
    expect(results[1].status === 'failed' && results[1].error.type).toBe('FileNotExistsException');
  });

  test('a wrapped list and a graph', async () => {
    const wrapped = await client.execute({ actions: [['FA_t_echo', { value: 1 }], ['FA_t_touch']], mode: 'parallel' });
    const graph = await client.execute({
      nodes: [
        { id: 'one', action: ['FA_t_echo', { value: 1 }] },
        { id: 'two', action: ['FA_t_echo', { value: '${nodes.one.value}' }], depends_on: ['one'] },
      ],
    });
    expect(wrapped).toMatchObject({ ok: true, counts: { ok: 2 } });
    expect(graph.results).toMatchObject([{ id: 'one' }, { id: 'two', value: 1 }]);
  });

  test('one action, and gives its value', async () => {
    expect(await client.call('FA_read_file', { file_path: 'a.txt' })).toBe('hello');
    expect((await client.call('FA_stat', { path: 'a.txt' }))?.size).toBe(5);
    expect(await client.call('FA_list_trash')).toEqual([]);
  });

  test('one action, and throws its error under its own type', async () => {
    const fault = await faultOf(client.call('FA_copy_file', { file_path: 'missing.txt', target_path: 'b.txt' }));
    expect(fault).toBeInstanceOf(ActionFailure);
    expect(fault).toBeInstanceOf(errors.FileNotExistsException);
    expect(fault).not.toBeInstanceOf(HTTPActionClientException);
    expect(fault).toMatchObject({
      name: 'FileNotExistsException',
      type: 'FileNotExistsException',
      retryable: false,
      outcome: { index: 0 },
    });
    expect(JSON.parse(JSON.stringify(fault))).toMatchObject({ type: 'FileNotExistsException', context: { argument: 'file_path' } });
  });

  test('texts that look like references as they stand, when asked to', async () => {
    const texts = { deep: ['${env:HOME}', '$${date}', 'plain'] };
    expect(await client.call('FA_t_echo', literal({ value: texts }))).toEqual(texts);
  });

  test('what was planned and nothing else', async () => {
    const list = { actions: [['FA_create_file', { file_path: 'new.txt', content: 'x' }]] } as const;
    const plan = await client.plan(list);
    expect(plan.results).toMatchObject([{ status: 'planned', plan: { effects: [{ kind: 'create' }] } }]);
    expect(door.house.dir.read('new.txt')).toBeUndefined();
    const expect_plan = plan.plan_hash ?? '';
    expect(await client.execute({ ...list, expect_plan })).toMatchObject({ ok: true });
    expect(await faultOf(client.execute({ ...list, expect_plan }))).toMatchObject({ status: 409, error: { type: 'PlanChangedException' } });
  });

  test('a plan of a plain list and of a graph', async () => {
    const graph = { nodes: [{ id: 'a', action: ['FA_remove_file', ['a.txt']] }] } as const;
    expect(await client.plan([['FA_remove_file', ['a.txt']]])).toMatchObject({ counts: { planned: 1 } });
    expect(await client.plan(graph)).toMatchObject({ counts: { planned: 1 } });
    expect(door.house.dir.read('a.txt')).toBe('hello');
  });
});

describe('asks', () => {
  test('for the catalogue and for one action', async () => {
    const names = (await client.actions()).map(({ name }) => name);
    expect(names).toContain('FA_copy_file');
    expect(await client.describe('FA_copy_file')).toMatchObject({
      name: 'FA_copy_file',
      order: ['file_path', 'target_path', 'copy_metadata', 'on_conflict'],
    });
    expect(await faultOf(client.describe('FA_no_such'))).toMatchObject({ status: 404, error: { type: 'UnknownActionException' } });
    expect(await faultOf(client.describe('../healthz'))).toMatchObject({ status: 404 });
  });

  test('whether the server is there, lives and takes lists', async () => {
    const stranger = new HTTPActionClient(door.url);
    expect(await client.ping()).toBe(true);
    expect(await stranger.health()).toEqual({ status: 'ok' });
    expect(await stranger.ready()).toMatchObject({ status: 'ready', actions: expect.any(Number) });
    expect(await faultOf(stranger.ping())).toMatchObject({ status: 401 });
  });

  test('a server that is not ready for the reason', async () => {
    await using empty = await openHttpDoor();
    for (const name of empty.house.factotum.registry.names()) empty.house.factotum.registry.unregister(name);
    expect(await new HTTPActionClient(empty.url).ready()).toEqual({ status: 'not_ready', reason: 'registry empty' });
  });

  test('in vain where there is no server', async () => {
    const gone = await openHttpDoor();
    await gone[Symbol.asyncDispose]();
    const nobody = new HTTPActionClient(gone.url, { retries: 0 });
    expect(await nobody.ping()).toBe(false);
    expect(await faultOf(nobody.health())).toMatchObject({
      type: 'HTTPActionClientException',
      trouble: 'unreachable',
      retryable: true,
      status: undefined,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('tells a refusal with status, error and remedy:', () => {
  test.each<[string, string | undefined, object, number, string | undefined]>([
    ['no secret', undefined, [], 401, undefined],
    ['a wrong secret', 'wrong', [], 401, undefined],
    ['an action that is not permitted', READER, [['FA_remove_file', ['a.txt']]], 403, 'ActionNotPermittedException'],
    ['no list', SECRET, { action: [] }, 400, 'JsonActionException'],
    ['an invalid list', SECRET, { actions: [['FA_no_such']], validate_first: true }, 422, 'ValidationException'],
    ['a circle', SECRET, { nodes: [{ id: 'a', action: ['FA_t_touch'], depends_on: ['a'] }] }, 422, 'DagException'],
  ])('%s', async (_, sharedSecret, request, status, type) => {
    const before = door.house.touched;
    const fault = await faultOf(new HTTPActionClient(door.url, { sharedSecret }).execute(request as never)); // refused on purpose
    expect(fault).toBeInstanceOf(HTTPActionClientException);
    expect(fault).toMatchObject({ status, trouble: 'refused', remedy: expect.stringMatching(/\w.*\.$/) });
    expect(fault).not.toBeInstanceOf(ActionFailure);
    if (type !== undefined) expect(fault).toMatchObject({ name: type, type, error: { type } });
    if (type !== undefined) expect(fault).toBeInstanceOf(Reflect.get(errors, type));
    expect(door.house.touched).toBe(before);
  });

  test('a server that is asked too often', async () => {
    await using busy = await openHttpDoor({ service: { limits: { requestsPerMinute: 1 } } });
    const impatient = new HTTPActionClient<HouseMap>(busy.url);
    await impatient.call('FA_t_touch');
    const fault = await faultOf(impatient.call('FA_t_touch'));
    expect(fault).toMatchObject({ status: 429, retryable: true, retryAfterS: expect.any(Number) });
  });
});

test.each(['', 'localhost', 'ftp://127.0.0.1', 'http://me:secret@127.0.0.1:9944'])('takes no %j for an address', (address) => {
  expect(() => new HTTPActionClient(address)).toThrow(HTTPActionClientException);
});

test('takes no secret that a header cannot carry', () => {
  expect(() => new HTTPActionClient('http://127.0.0.1', { sharedSecret: 'line\n' })).toThrow(HTTPActionClientException);
});
