import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openRunsDoor } from '../../test/support/runs-door.ts';
import { HTTPActionClient } from './client.ts';
import type { RunEvent } from './follow-run.ts';

const eventsOf = async (following: AsyncGenerator<RunEvent, void>): Promise<RunEvent[]> => {
  const events: RunEvent[] = [];
  for await (const event of following) events.push(event);
  return events;
};

describe('runs over the client', () => {
  test('are started, followed, looked at and listed', async () => {
    await using door = await openRunsDoor({ files: { 'a.txt': 'hello' } });
    const client = new HTTPActionClient(door.url);
    const id = await client.start([['FA_read_file', { file_path: 'a.txt' }]]);
    expect(await eventsOf(client.follow(id))).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ event: 'command', data: expect.objectContaining({ status: 'ok', value: 'hello' }) }),
        expect.objectContaining({ event: 'done', data: expect.objectContaining({ run_id: id, state: 'ok' }) }),
      ]),
    );
    expect(await client.run(id)).toMatchObject({ run_id: id, results: [{ value: 'hello' }] });
    expect(await client.runs({ status: ['ok', 'failed'], limit: 1 })).toMatchObject({ runs: [{ run_id: id }], cursor: null });
    expect(await client.cancel(id)).toBe('finished');
  });

  test('are undone and resumed', async () => {
    await using door = await openRunsDoor({ files: { 'a.txt': 'old' } });
    const client = new HTTPActionClient(door.url);
    const id = await client.start([
      ['FA_create_file', { file_path: 'a.txt', content: 'new' }],
      ['FA_read_file', { file_path: 'missing' }],
    ]);
    await eventsOf(client.follow(id));
    const resumed = await client.resume(id, { from: 1 });
    await eventsOf(client.follow(resumed));
    expect(await client.run(resumed)).toMatchObject({ parent: id, results: [{ status: 'reused' }, { status: 'failed' }] });
    const undone = await client.undo(id);
    await eventsOf(client.follow(undone));
    expect(door.house.dir.read('a.txt')).toBe('old');
    await expect(client.undo(id)).rejects.toMatchObject({ status: 409 });
    await expect(client.run('nobody')).rejects.toMatchObject({ status: 404 });
  });

  test('run once under a key', async () => {
    await using door = await openRunsDoor();
    const client = new HTTPActionClient(door.url);
    const list = [['FA_create_file', { file_path: 'a.txt', content: 'x' }]] as const;
    const [first, second] = [await client.execute(list, { idempotencyKey: 'k' }), await client.execute(list, { idempotencyKey: 'k' })];
    expect(second).toEqual(first);
  });
});

test('a follower goes on behind the last event after a break', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers['last-event-id'] as string | undefined);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    if (asked.length === 1) response.write('id: 7\nevent: command\ndata: {"index":0}\n\n', () => response.destroy());
    else response.end(': still here\n\nid: 8\nevent: done\ndata: {"run_id":"r"}\n\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  try {
    const events = await eventsOf(new HTTPActionClient(`http://127.0.0.1:${port}`).follow('r'));
    expect(events.map(({ event }) => event)).toEqual(['command', 'done']);
    expect(asked).toEqual([undefined, '7']);
  } finally {
    server.close();
  }
});
