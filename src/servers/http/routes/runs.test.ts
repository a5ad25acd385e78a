import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ended, submission } from '../../../../test/e2e/store/contract/suite.ts';
import { openRunsDoor, type RunsDoor } from '../../../../test/support/runs-door.ts';
import { paths } from '../openapi/paths.ts';

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

/** Starts a list in the background and waits for its end by its events. */
const runToEnd = async ({ url }: RunsDoor, body: unknown): Promise<{ id: string; events: string }> => {
  const { run_id } = (await (await post(`${url}/runs`, body)).json()) as { run_id: string };
  return { id: run_id, events: await (await fetch(`${url}/runs/${run_id}/events`)).text() };
};

const record = async ({ url }: RunsDoor, id: string): Promise<Record<string, unknown>> =>
  (await (await fetch(`${url}/runs/${id}`)).json()) as Record<string, unknown>;

describe('POST /runs', () => {
  test('answers at once with the id and place of a run that goes on in the background', async () => {
    await using door = await openRunsDoor();
    const answer = await post(`${door.url}/runs`, { actions: [['FA_create_file', ['a', 'hi']]], name: 'mine' });
    const { run_id } = (await answer.json()) as { run_id: string };
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/runs/${run_id}`);
    await (await fetch(`${door.url}/runs/${run_id}/events`)).text();
    expect(await record(door, run_id)).toMatchObject({
      run_id,
      state: 'ok',
      name: 'mine',
      source: 'http',
      caller: 'owner',
      counts: { ok: 1 },
      request: { name: 'mine' },
      results: [{ index: 0, action: 'FA_create_file', status: 'ok' }],
    });
    expect(door.house.dir.read('a')).toBe('hi');
  });

  test.each([
    ['a list that is none', { wrong: 1 }, 400],
    ['no JSON', undefined, 400],
    ['a graph with a circle', { nodes: [{ id: 'a', action: ['FA_t_touch'], depends_on: ['a'] }] }, 422],
    ['a list that is wrong and wants to be checked first', { actions: [['FA_nothing']], validate_first: true }, 422],
  ])('refuses %s', async (_, body, status) => {
    await using door = await openRunsDoor();
    expect((await post(`${door.url}/runs`, body)).status).toBe(status);
  });
});

describe('an Idempotency-Key', () => {
  const list = [['FA_t_touch']];

  test.each(['/actions', '/runs'])('makes POST %s do a list once', async (path) => {
    await using door = await openRunsDoor();
    const key = { 'Idempotency-Key': 'k-1' };
    const [first, second] = [await post(door.url + path, list, key), await post(door.url + path, list, key)];
    expect([first.status, second.status]).toEqual(path === '/actions' ? [200, 200] : [202, 202]);
    expect(second.headers.get('x-run-id')).toBe(first.headers.get('x-run-id'));
    if (path === '/actions') expect(await second.json()).toEqual(await first.json());
    else await fetch(`${door.url}/runs/${first.headers.get('x-run-id')}/events`).then((answer) => answer.text());
    expect(door.house.touched).toBe(1);
  });

  test.each([
    [
      'a plan',
      {
        actions: [
          ['FA_create_file', ['a', 'hi']],
          ['FA_read_file', ['none']],
        ],
        dry_run: true,
      },
    ],
    [
      'a graph with failures, skipped nodes and notes',
      {
        nodes: [
          { id: 'x', action: ['FA_read_file', ['none']] },
          { id: 'y', action: ['FA_t_touch'], depends_on: ['x'] },
          { id: 'z', action: ['FA_if_exists', { path: 'none', then: [['FA_t_touch']] }] },
        ],
      },
    ],
    ['nested lists', [['FA_for_each', { items: [1, 2], actions: [['FA_create_file', ['${item}', 'x']]] }]]],
  ])('answers word for word again: %s', async (_, body) => {
    await using door = await openRunsDoor();
    const ask = async () => (await post(`${door.url}/actions`, body, { 'Idempotency-Key': 'k-1' })).json();
    const first = await ask();
    expect(first).toMatchObject({ results: expect.any(Array) });
    expect(await ask()).toEqual(first);
  });

  test('is refused with another list', async () => {
    await using door = await openRunsDoor();
    const key = { 'Idempotency-Key': 'k-1' };
    await post(`${door.url}/actions`, list, key);
    const other = await post(`${door.url}/actions`, [...list, ...list], key);
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ type: 'urn:factotum:error:idempotency-key-reused' });
  });

  test('is in use while its run goes on', async () => {
    await using door = await openRunsDoor();
    await door.store.submit({ source: 'http', caller: 'owner', body: list, key: 'k-1', claim: { worker: 'another' } });
    const answer = await post(`${door.url}/actions`, list, { 'Idempotency-Key': 'k-1' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '1']);
  });

  test.each(['/actions', '/runs'])('stays free where POST %s is refused before anything ran', async (path) => {
    await using door = await openRunsDoor();
    const create = [['FA_create_file', ['a', 'hi']]];
    const planned = await post(`${door.url}/actions`, { actions: create, dry_run: true });
    const { plan_hash } = (await planned.json()) as { plan_hash: string };
    const ask = () => post(door.url + path, { actions: create, expect_plan: plan_hash }, { 'Idempotency-Key': 'k-1' });
    const ended = async (answer: Response) => {
      const id = answer.headers.get('x-run-id');
      if (path === '/runs') await fetch(`${door.url}/runs/${id}/events`).then((events) => events.text());
      return id;
    };
    door.house.dir.write('a', 'in the way, so that the plan is another one');
    const first = await ask();
    await ended(first);
    const second = await ask();
    await ended(second);
    if (path === '/actions') {
      expect([first.status, second.status]).toEqual([409, 409]);
      expect(await second.json()).toMatchObject({ error: { type: 'PlanChangedException' } });
    }
    rmSync(door.house.dir.at('a'));
    const ran = await ended(await ask());
    expect(door.house.dir.read('a')).toBe('hi');
    expect(await ended(await ask())).toBe(ran); // and now it is used
    expect(await record(door, ran ?? '')).toMatchObject({ plan_hash });
  });

  test('has to be a key', async () => {
    await using door = await openRunsDoor();
    expect((await post(`${door.url}/actions`, list, { 'Idempotency-Key': 'two words' })).status).toBe(400);
  });
});

describe('GET /runs', () => {
  const ids = async (url: string, query: string): Promise<{ ids: string[]; cursor: string | null }> => {
    const { runs, cursor } = (await (await fetch(`${url}/runs?${query}`)).json()) as { runs: { run_id: string }[]; cursor: string | null };
    return { ids: runs.map(({ run_id }) => run_id), cursor };
  };

  test('lists newest first, in pages', async () => {
    await using door = await openRunsDoor();
    const made: string[] = [];
    for (let at = 0; at < 3; at += 1) made.unshift((await runToEnd(door, [['FA_t_touch']])).id);
    const first = await ids(door.url, 'limit=2');
    const second = await ids(door.url, `limit=2&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    expect([...first.ids, ...second.ids]).toEqual(made);
    expect(second.cursor).toBeNull();
  });

  test('picks by state, action, text and time', async () => {
    await using door = await openRunsDoor();
    const good = await runToEnd(door, [['FA_t_touch']]);
    const bad = await runToEnd(door, [['FA_read_file', ['missing.txt']]]);
    expect((await ids(door.url, 'status=failed')).ids).toEqual([bad.id]);
    expect((await ids(door.url, 'status=failed,ok')).ids).toEqual([bad.id, good.id]);
    expect((await ids(door.url, 'action=FA_t_touch')).ids).toEqual([good.id]);
    expect((await ids(door.url, 'text=MISSING')).ids).toEqual([bad.id]);
    expect((await ids(door.url, 'until=2020-01-01T00:00:00Z')).ids).toEqual([]);
  });

  test.each(['status=fine', 'since=yesterday', 'limit=0', 'limit=x', 'stat=ok'])('refuses ?%s', async (query) => {
    await using door = await openRunsDoor();
    const answer = await fetch(`${door.url}/runs?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { type: 'ArgumentException' } }]);
  });

  test('shows a token only what it started', async () => {
    const token = { name: 'guest', secret: 'guest-secret', readWrite: ['/'], allow: ['*'] };
    await using door = await openRunsDoor({ service: { sharedSecret: 'owner-secret', tokens: [token] } });
    const [theirs, mine] = await Promise.all(
      ['owner-secret', 'guest-secret'].map(async (secret) => {
        const answer = await post(`${door.url}/runs`, [['FA_t_touch']], bearer(secret));
        return ((await answer.json()) as { run_id: string }).run_id;
      }),
    );
    const asked = await fetch(`${door.url}/runs`, { headers: bearer('guest-secret') });
    expect(await asked.json()).toMatchObject({ runs: [{ run_id: mine, caller: 'guest' }] });
    for (const path of ['', '/events']) {
      const answer = await fetch(`${door.url}/runs/${theirs}${path}`, { headers: bearer('guest-secret') });
      expect(answer.status).toBe(404);
    }
    expect((await post(`${door.url}/runs/${theirs}/undo`, {}, bearer('guest-secret'))).status).toBe(404);
  });
});

describe('GET /runs/{id}/events', () => {
  test('tells of each command and of the end, with ids', async () => {
    await using door = await openRunsDoor();
    const { id, events } = await runToEnd(door, [['FA_t_touch'], ['FA_read_file', ['missing']]]);
    expect(events).toMatch(/^id: \d+\nevent: command\ndata: \{"index":0,/);
    expect(events).toContain('"type":"FileNotExistsException"');
    expect(events).toMatch(new RegExp(`id: \\d+\\nevent: done\\ndata: \\{"run_id":"${id}","state":"failed"`));
  });

  test('goes on after the last event that was seen', async () => {
    await using door = await openRunsDoor();
    const { id, events } = await runToEnd(door, [['FA_t_touch'], ['FA_t_touch']]);
    const seen = [...events.matchAll(/^id: (\d+)$/gm)].map(([, number = '']) => number);
    const ask = (last = '') => fetch(`${door.url}/runs/${id}/events`, { headers: { 'Last-Event-ID': last } });
    const rest = await (await ask(seen[0])).text();
    expect(events.endsWith(rest)).toBe(true);
    expect(rest.length).toBeLessThan(events.length);
    expect((await ask(seen.at(-1))).status).toBe(204);
  });

  test('waits with a follower for the verdict on a run in doubt, and tells how it went on', async () => {
    await using door = await openRunsDoor();
    const { store } = door;
    const worker = { worker: 'another', queues: ['elsewhere'], max: 1 };
    const { runId } = await store.submit(submission({ queue: 'elsewhere' }));
    const settle = async (how: object) => {
      const [claim] = await store.claim(worker);
      if (claim !== undefined) await store.settle([{ ...ended(claim), ...how }]);
    };
    await settle({ end: 'indeterminate', commands: [{ index: 0, action: 'FA_x', state: 'indeterminate' }] });
    const seen = (await store.events(runId, 0)).at(-1)?.id;
    const answer = await fetch(`${door.url}/runs/${runId}/events`, { headers: { 'Last-Event-ID': String(seen) } });
    expect(answer.status).toBe(200);
    await store.verdict(runId, 0, 'done');
    await settle({});
    expect(await answer.text()).toContain('event: done');
  });

  test('knows nothing of other ids', async () => {
    await using door = await openRunsDoor();
    expect((await fetch(`${door.url}/runs/nobody/events`)).status).toBe(404);
  });
});

describe('the course of a run', () => {
  test('is resumed where it failed', async () => {
    await using door = await openRunsDoor();
    const { id } = await runToEnd(door, [['FA_t_touch'], ['FA_read_file', ['late.txt']]]);
    door.house.dir.write('late.txt', 'here');
    const answer = await post(`${door.url}/runs/${id}/resume`, {});
    const { run_id } = (await answer.json()) as { run_id: string };
    await (await fetch(`${door.url}/runs/${run_id}/events`)).text();
    expect(await record(door, run_id)).toMatchObject({ parent: id, state: 'ok', results: [{ status: 'reused' }, { status: 'ok' }] });
    expect([answer.status, door.house.touched]).toEqual([202, 1]);
  });

  test('is undone by a run of its own', async () => {
    await using door = await openRunsDoor({ files: { 'a.txt': 'old' } });
    const { id } = await runToEnd(door, [
      ['FA_remove_file', ['a.txt']],
      ['FA_create_file', ['b.txt', 'new']],
    ]);
    const answer = await fetch(`${door.url}/runs/${id}/undo`, { method: 'POST' });
    const { run_id } = (await answer.json()) as { run_id: string };
    await (await fetch(`${door.url}/runs/${run_id}/events`)).text();
    expect(answer.status).toBe(202);
    expect(await record(door, run_id)).toMatchObject({ parent: id, source: 'undo', state: 'ok' });
    expect([door.house.dir.read('a.txt'), door.house.dir.read('b.txt')]).toEqual(['old', undefined]);
    const again = await post(`${door.url}/runs/${id}/undo`, {});
    expect([again.status, await again.json()]).toEqual([
      409,
      expect.objectContaining({
        type: 'urn:factotum:error:cannot-undo',
        title: 'The run cannot be undone',
        error: expect.objectContaining({ type: 'ExecuteActionException', message: expect.stringContaining('is undone already') }),
      }),
    ]);
  });

  test('is cancelled, and asked for again that is no fault', async () => {
    await using door = await openRunsDoor();
    const { runId } = await door.store.submit({ source: 'http', caller: 'owner', body: [], runAt: Date.now() + 3_600_000 });
    const answers = [await post(`${door.url}/runs/${runId}/cancel`, {}), await post(`${door.url}/runs/${runId}/cancel`, {})];
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([
      { run_id: runId, outcome: 'cancelled' },
      { run_id: runId, outcome: 'finished' },
    ]);
  });

  test('is neither resumed nor undone before its end', async () => {
    await using door = await openRunsDoor();
    const { runId } = await door.store.submit({ source: 'http', caller: 'owner', body: [], runAt: Date.now() + 3_600_000 });
    for (const verb of ['resume', 'undo']) expect((await post(`${door.url}/runs/${runId}/${verb}`, {})).status).toBe(409);
  });

  test('is not resumed from nowhere', async () => {
    await using door = await openRunsDoor();
    const { id } = await runToEnd(door, [['FA_t_touch']]);
    expect((await post(`${door.url}/runs/${id}/resume`, { from: -1 })).status).toBe(400);
  });
});

test.each(Object.entries(paths).filter(([path]) => path.startsWith('/runs')))(
  '%s takes the methods that the document names',
  async (path, operations) => {
    await using door = await openRunsDoor();
    const { status, headers } = await fetch(`${door.url}${path.replace('{id}', 'some')}`, { method: 'PATCH' });
    const described = Object.keys(operations as object).map((method) => method.toUpperCase()); // by OpenAPI
    expect([status, headers.get('allow')?.split(', ').sort()]).toEqual([405, described.sort()]);
  },
);

test('without a history there are no runs and no keys', async () => {
  const { openHttpDoor } = await import('../../../../test/support/http-door.ts');
  await using door = await openHttpDoor();
  expect((await fetch(`${door.url}/runs`)).status).toBe(404);
  expect((await post(`${door.url}/actions`, [], { 'Idempotency-Key': 'k' })).status).toBe(400);
});
