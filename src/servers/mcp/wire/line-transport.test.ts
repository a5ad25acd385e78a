import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test, vi } from 'vitest';
import { openLineTransport } from './line-transport.ts';

const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const ANSWER: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };

const open = async (write: (line: string) => Promise<void> = async () => {}) => {
  const input = new PassThrough();
  const transport = openLineTransport({ input, write, maxBytes: 1_000, maxDepth: 10 });
  const messages: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void messages.push(message);
  await transport.start();
  return { input, transport, messages };
};

test('reads no further request while too many answers wait to be read', async () => {
  let goOn = () => {};
  const stalled = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { input, transport } = await open(() => stalled);
  const large = { ...ANSWER, result: { text: 'x'.repeat(10 << 20) } };
  const sent = [transport.send(large), transport.send(large)];
  expect(input.isPaused()).toBe(true);
  goOn();
  await Promise.all(sent);
  expect(input.isPaused()).toBe(false);
});

test('ends once the last request is answered', async () => {
  const { input, transport, messages } = await open();
  input.end(REQUEST);
  await expect.poll(() => messages).toHaveLength(1);
  await transport.send(ANSWER);
  await transport.closed;
});

test('does not wait long for an answer after the input has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const { input, transport } = await open();
    let isClosed = false;
    void transport.closed.then(() => {
      isClosed = true;
    });
    input.emit('data', Buffer.from(REQUEST));
    input.emit('end');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isClosed).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('ends when nobody takes the answers, and when the input fails', async () => {
  const deaf = await open(() => Promise.reject(new Error('EPIPE')));
  await expect(deaf.transport.send(ANSWER)).rejects.toThrow('EPIPE');
  await deaf.transport.closed;
  const broken = await open();
  const faults: Error[] = [];
  broken.transport.onerror = (fault) => void faults.push(fault);
  broken.input.destroy(new Error('EIO'));
  await broken.transport.closed;
  expect(faults).toHaveLength(1);
});
