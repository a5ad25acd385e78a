import { expect, test } from 'vitest';
import type { Call } from './calls.ts';
import type { Link } from './link.ts';
import { sendApart } from './reader.ts';

const call = (shelf: Call['shelf'], method: string): Call => ({ shelf, method, args: [], now: 0 });
const search = call('runs', 'runs');
const submit = call('runs', 'submit');

/** A link that answers when it is told to; its calls are written down. */
const slowLink = (name: string, log: string[]) => {
  const waiting: (() => void)[] = [];
  const link: Link & { answer(): void; isOpen: boolean } = {
    isOpen: true,
    send: ({ method }) => {
      log.push(`${name} ${method}`);
      return new Promise((resolve) => waiting.push(() => resolve(name)));
    },
    close: async () => void log.push(`${name} closes`),
    answer: () => waiting.shift()?.(),
  };
  return link;
};

const turns = async () => {
  for (let each = 0; each < 10; each += 1) await Promise.resolve();
};

const open = () => {
  const log: string[] = [];
  const writer = slowLink('writer', log);
  const reader = slowLink('reader', log);
  return { log, writer, reader, ...sendApart(writer, async () => reader) };
};

test('nobody waits for a long read but whoever asked for it', async () => {
  const { writer, reader, send } = open();
  const found = send(search);
  await turns();
  const submitted = send(submit);
  writer.answer();
  expect(await submitted).toBe('writer');
  reader.answer();
  expect(await found).toBe('reader');
});

test('a long read comes after what was written before it, and before nothing that comes later', async () => {
  const { log, writer, reader, send } = open();
  const first = send(submit);
  const found = send(search);
  await turns();
  expect(log).toEqual(['writer submit']);
  const second = send(submit);
  writer.answer();
  await first;
  await turns();
  expect(log).toEqual(['writer submit', 'writer submit', 'reader runs']);
  reader.answer();
  expect(await found).toBe('reader');
  writer.answer();
  await second;
});

test('quick reads stay with the writer', async () => {
  const { log, writer, send } = open();
  const found = send(call('runs', 'run'));
  await turns();
  writer.answer();
  expect([await found, log]).toEqual(['writer', ['writer run']]);
});

test('where there can be no reader, the writer reads', async () => {
  const log: string[] = [];
  const writer = slowLink('writer', log);
  const { send } = sendApart(writer, () => Promise.reject(new Error('no thread')));
  const found = send(search);
  await turns();
  writer.answer();
  expect(await found).toBe('writer');
});

test('a reader that has ended is followed by another, and closed before the writer', async () => {
  const log: string[] = [];
  const readers = [slowLink('first', log), slowLink('second', log)];
  const { send, close } = sendApart(slowLink('writer', log), async () => readers.shift() ?? slowLink('third', log));
  const [first, second] = [...readers];
  const one = send(search);
  await turns();
  first?.answer();
  expect(await one).toBe('first');
  if (first !== undefined) first.isOpen = false;
  const two = send(search);
  await turns();
  second?.answer();
  expect(await two).toBe('second');
  await close();
  expect(log.slice(-2)).toEqual(['second closes', 'writer closes']);
});
