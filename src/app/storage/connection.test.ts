import { expect, test } from 'vitest';
import { outgoing, textOf } from '../../../test/contract/storage-samples.ts';
import { manualTime } from '../../../test/support/manual-time.ts';
import { StorageException } from '../../core/errors.ts';
import { createMemory, openMemory } from '../../storage/backends/memory.ts';
import { type Connection, createConnection } from './connection.ts';

const { signal } = new AbortController();

/** A connection over one memory, with a clock that is told when time is up. */
const open = ({ onIdle = () => {} } = {}) => {
  const memory = createMemory();
  const log: string[] = [];
  const time = manualTime('2026-01-01T00:00:00Z');
  let faults = 0;
  const connection: Connection = createConnection({
    idleMs: 600_000,
    setTimer: time.setTimer,
    async open() {
      if (faults > 0) {
        faults -= 1;
        throw new StorageException('The server is away.');
      }
      log.push('opened');
      return {
        ...openMemory({ memory }),
        async [Symbol.asyncDispose]() {
          log.push('closed');
        },
      };
    },
    onIdle,
  });
  return {
    connection,
    log,
    advance: time.advance,
    failNext: () => {
      faults += 1;
    },
  };
};

test('is opened at first use, closed when unused, and opened again by whoever still has it', async () => {
  const { connection, log, advance } = open();
  expect(log).toEqual([]);
  const storage = await connection.storage();
  await storage.write('a', outgoing('hello'), { signal });
  await advance(599_999);
  expect(log).toEqual(['opened']);
  await advance(1);
  expect(await textOf(await storage.read('a', { signal }))).toBe('hello');
  expect(log).toEqual(['opened', 'closed', 'opened']);
  await connection.close();
});

test('is not closed while somebody reads', async () => {
  const { connection, log, advance } = open();
  const storage = await connection.storage();
  await storage.write('a', outgoing('hello'), { signal });
  const reading = (await storage.read('a', { signal }))[Symbol.asyncIterator]();
  await reading.next();
  await advance(1_200_000);
  expect(log).toEqual(['opened']);
  await reading.return?.();
  await advance(600_000);
  expect(log).toEqual(['opened', 'closed']);
  await connection.close();
});

test('that could not be opened is tried again by the next', async () => {
  const { connection, failNext } = open();
  failNext();
  await expect(connection.storage()).rejects.toThrow('The server is away.');
  expect(await (await connection.storage()).stat('x', { signal })).toBeUndefined();
  await connection.close();
});

test('whose place another has taken is closed soon, and tells when it is', async () => {
  let idle = 0;
  const { connection, log, advance } = open({
    onIdle: () => {
      idle += 1;
    },
  });
  await connection.storage();
  connection.retire();
  await advance(10_000);
  expect([idle, log.at(-1)]).toEqual([1, 'closed']);
  await connection.close();
});

test('that was closed for good is not opened again', async () => {
  const { connection, log } = open();
  const storage = await connection.storage();
  await connection.close();
  await expect(storage.stat('a', { signal })).rejects.toMatchObject({ context: { code: 'unreachable' } });
  expect(log.at(-1)).toBe('closed');
});
