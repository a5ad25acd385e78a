import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createExitGate, leaveGate, passGate, shutGate, watchGate } from './exit-gate.ts';

test('work passes while the process lives, and none begins once it ends', () => {
  const gate = createExitGate();
  const done: string[] = [];
  passGate(gate, () => done.push('while it opens'));
  leaveGate(gate);
  passGate(gate, () => done.push('open'));
  expect(shutGate(gate, 0)).toBe(true);
  passGate(gate, () => done.push('shut'));
  expect(done).toEqual(['open']);
});

test('work that fails is outside again', () => {
  const gate = createExitGate();
  leaveGate(gate);
  const broken = () => {
    throw new Error('no');
  };
  expect(() => passGate(gate, broken)).toThrow('no');
  expect(shutGate(gate, 0)).toBe(true);
});

test('the end waits for a thread that is inside, and not for ever', async () => {
  const gate = createExitGate();
  expect(shutGate(gate, 1)).toBe(false);
  const leaveLater = 'const { workerData: gate } = require("node:worker_threads"); Atomics.store(gate, 0, 0); Atomics.notify(gate, 0);';
  const thread = new Worker(leaveLater, { eval: true, workerData: gate });
  const ended = once(thread, 'exit');
  expect(shutGate(gate, 60_000)).toBe(true);
  await ended;
});

test('the process has one listener for all gates, and none without them', () => {
  const before = process.listenerCount('exit');
  const forget = [createExitGate(), createExitGate()].map(watchGate);
  expect(process.listenerCount('exit')).toBe(before + 1);
  for (const each of forget) each();
  expect(process.listenerCount('exit')).toBe(before);
});
