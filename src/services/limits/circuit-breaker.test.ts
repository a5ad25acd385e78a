import { expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import { CancelledException } from '../../core/errors.ts';
import { memoryStore } from '../engine/memory/memory-store.ts';
import type { Store } from '../engine/port.ts';
import { createCircuitBreakers } from './circuit-breaker.ts';

const rule = { failureThreshold: 2, recoveryS: 30 };

const open = (store?: Store, time = manualTime('2026-01-01T00:00:00Z')) => {
  const changes: string[] = [];
  const breakers = createCircuitBreakers({
    states: async () => store?.states,
    clock: time.clock,
    log: (_, message) => changes.push(message),
  });
  const call = <T>(work: () => Promise<T>) => breakers.throughBreaker('disk', rule, work);
  const fail = () => call(() => Promise.reject(new Error('down'))).catch((fault: Error) => fault.message);
  const succeed = () => call(() => Promise.resolve('up'));
  return { breakers, time, changes, call, fail, succeed };
};

/** Work that ends when the test says so. */
const pending = () => {
  let end: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
};

test('it opens after failures in a row, tries once after the recovery time, and closes when that works', async () => {
  const { breakers, time, changes, fail, succeed } = open();
  expect([await fail(), await fail()]).toEqual(['down', 'down']);
  expect(await breakers.circuitState('disk')).toBe('open');
  await expect(succeed()).rejects.toMatchObject({ type: 'CircuitOpenException', context: { name: 'disk', retry_after_s: 30 } });
  await time.advance(30_000);
  expect(await breakers.circuitState('disk')).toBe('half_open');
  expect(await succeed()).toBe('up');
  expect(await breakers.circuitState('disk')).toBe('closed');
  expect(changes.map((message) => message.split(':')[0])).toEqual([
    'The breaker disk is open',
    'The breaker disk is half open',
    'The breaker disk is closed',
  ]);
});

test('a success in between starts the count anew', async () => {
  const { breakers, fail, succeed } = open();
  await fail();
  await succeed();
  await fail();
  expect(await breakers.circuitState('disk')).toBe('closed');
});

test('of many calls at once only one is the trial', async () => {
  const { time, call, fail } = open();
  await fail();
  await fail();
  await time.advance(30_000);
  let inside = 0;
  const trial = pending();
  const calls = Array.from({ length: 5 }, () =>
    call(() => {
      inside += 1;
      return trial.over;
    }).then(
      () => 'ok',
      (fault: { type?: string }) => fault.type,
    ),
  );
  await time.advance(60_000); // also when the trial takes longer than the recovery time
  trial.end();
  expect((await Promise.all(calls)).sort()).toEqual([
    'CircuitOpenException',
    'CircuitOpenException',
    'CircuitOpenException',
    'CircuitOpenException',
    'ok',
  ]);
  expect(inside).toBe(1);
});

test('a trial that fails opens it again for the whole recovery time', async () => {
  const { breakers, time, fail } = open();
  await fail();
  await fail();
  await time.advance(30_000);
  expect(await fail()).toBe('down');
  await time.advance(29_000);
  expect(await breakers.circuitState('disk')).toBe('open');
});

test('a trial that is cancelled says nothing: the next call tries', async () => {
  const { time, call, fail, succeed } = open();
  await fail();
  await fail();
  await time.advance(30_000);
  await expect(call(() => Promise.reject(new CancelledException('stop')))).rejects.toThrow('stop');
  expect(await succeed()).toBe('up');
});

test('what was under way when it opened neither closes it nor counts again', async () => {
  const { breakers, call, fail } = open();
  const slow = pending();
  const late = call(() => slow.over);
  await fail();
  await fail();
  slow.end();
  await late;
  expect(await breakers.circuitState('disk')).toBe('open');
});

test('resetting closes it at once, and an old trial has no say any more', async () => {
  const { breakers, time, call, fail } = open();
  await fail();
  await fail();
  await time.advance(30_000);
  const trial = pending();
  const trying = call(() => trial.over.then(() => Promise.reject(new Error('down'))));
  await time.advance(0);
  await breakers.resetCircuit('disk');
  trial.end();
  await expect(trying).rejects.toThrow('down');
  expect(await breakers.circuitState('disk')).toBe('closed');
});

test('it stays open over a restart, and a trial cut short by a crash is tried again after the recovery time', async () => {
  const store = memoryStore();
  const first = open(store);
  await first.fail();
  await first.fail();
  await first.time.advance(30_000);
  void first.call(() => new Promise(() => {})); // never ends: its process dies
  await first.time.advance(0);
  const second = open(store, first.time);
  await expect(second.succeed()).rejects.toMatchObject({ type: 'CircuitOpenException' });
  expect(await second.breakers.list()).toEqual([{ kind: 'circuit_breaker', name: 'disk', state: 'half_open', failures: 2 }]);
  await first.time.advance(30_000);
  expect(await second.succeed()).toBe('up');
  expect(await store.states.list('circuit_breaker')).toEqual([]);
  await store.close();
});

test('a clock that is set back keeps it open no longer than the recovery time', async () => {
  const { time, fail, succeed } = open();
  await fail();
  await fail();
  time.jumpTo('2020-01-01T00:00:00Z');
  await expect(succeed()).rejects.toMatchObject({ context: { retry_after_s: 30 } });
});

test('breakers that nobody has used for a month are forgotten, so that names made of paths or dates do not pile up', async () => {
  const { breakers, time } = open();
  const fail = (name: string) => breakers.throughBreaker(name, rule, () => Promise.reject(new Error('down'))).catch(() => {});
  await fail('long ago');
  time.jumpTo('2026-01-25T00:00:00Z');
  await fail('not so long ago');
  time.jumpTo('2026-02-05T00:00:00Z');
  for (let call = 0; call < 1_000; call += 1) await breakers.throughBreaker('busy', rule, call % 2 === 0 ? fails : works).catch(() => {});
  expect((await breakers.list()).map(({ name }) => name)).toEqual(['not so long ago']);
});

const fails = () => Promise.reject(new Error('down'));
const works = async () => {};

test('of two processes on one store one tries, and no failure is lost', async () => {
  await using store = memoryStore();
  const time = manualTime('2026-01-01T00:00:00Z');
  const [one, other] = [open(store, time), open(store, time)];
  await Promise.all([one.fail(), other.fail()]);
  expect(await one.breakers.circuitState('disk')).toBe('open');
  await time.advance(30_000);
  const trial = pending();
  const answers = Promise.allSettled([one, other].map(({ call }) => call(() => trial.over)));
  // These come after those in the turns of their processes, so by now it is settled which of them tries.
  for (const { succeed } of [one, other]) await expect(succeed()).rejects.toMatchObject({ type: 'CircuitOpenException' });
  trial.end();
  expect((await answers).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
