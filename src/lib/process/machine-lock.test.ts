import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addressOf, holdOnMachine } from './machine-lock.ts';

const { signal } = new AbortController();
const shown = '/data/a.json';
const newName = (() => {
  let count = 0;
  return () => `test ${process.pid} ${++count}`;
})();

/** Another process that has the name until it is killed. */
const holder = async (name: string) => {
  const script = `require('node:net').createServer((s) => s.on('error', () => {}).write(String(process.pid))).listen({ path: ${JSON.stringify(addressOf(name))} }, () => console.log('held'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
};

test('work under one name does not overlap and keeps its order', async () => {
  const name = newName();
  const told: string[] = [];
  const work = (who: string) =>
    holdOnMachine(name, { signal, shown }, async () => {
      told.push(`${who} in`);
      await nextTurn();
      told.push(`${who} out`);
    });
  await Promise.all([work('a'), work('b'), work('c')]);
  expect(told).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

test('a process that is killed gives the name back at once', async () => {
  const name = newName();
  const other = await holder(name);
  let isIn = false;
  const waiting = holdOnMachine(name, { signal, shown }, async () => {
    isIn = true;
  });
  await nextTurn();
  expect(isIn).toBe(false);
  other.kill('SIGKILL');
  await waiting;
  expect(isIn).toBe(true);
});

test('whoever waits stops at its signal, or when the patience is over, which names the process', async () => {
  const name = newName();
  const other = await holder(name);
  const stop = new AbortController();
  const waiting = holdOnMachine(name, { signal: stop.signal, shown }, async () => {});
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(holdOnMachine(name, { signal, shown, maxWaitMs: 200 }, async () => {})).rejects.toMatchObject({
    type: 'LockTimeoutException',
    retryable: true,
    message: expect.stringContaining(`(${other.pid}) has been changing ${shown}`),
  });
  other.kill('SIGKILL');
});

test('a failure gives the name back, to others too', async () => {
  const name = newName();
  await expect(holdOnMachine(name, { signal, shown }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const other = await holder(name);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(await holdOnMachine(name, { signal, shown }, async () => 'in')).toBe('in');
});

test('others get their turn between ours, however many of ours wait', async () => {
  const name = newName();
  const told: string[] = [];
  const ours = Array.from({ length: 200 }, (_, at) =>
    holdOnMachine(name, { signal, shown, quantumMs: 0 }, async () => {
      told.push(`ours ${at}`);
      await nextTurn();
    }),
  );
  // Like another process: it knows nothing of our line and only asks for the socket when the one before has closed.
  const theirs = (async () => {
    for (;;) {
      const server = createServer();
      const isTaken = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(true)).listen({ path: addressOf(name) }, () => resolve(false));
      });
      if (!isTaken) {
        told.push('theirs');
        server.close();
        return;
      }
      const { connect } = await import('node:net');
      const socket = connect({ path: addressOf(name) }).on('error', () => {});
      await once(socket.resume(), 'close');
    }
  })();
  await Promise.all([...ours, theirs]);
  expect(told.indexOf('theirs')).toBeLessThan(100);
});
