import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { CancelledException, QuotaExceededException, TimeoutException } from '../../core/errors.ts';
import { followSignals, isStopSignal, openStopper, stopError } from './stop-signal.ts';

const ours = new QuotaExceededException('too long');

describe('the reason of an abort in our words', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'CancelledException'],
    ['null', null, 'CancelledException'],
    ['a text', 'enough', 'CancelledException'],
    ['an error', new Error('enough'), 'CancelledException'],
    ['what abort() gives', AbortSignal.abort().reason, 'CancelledException'],
    ['what AbortSignal.timeout() gives', new DOMException('late', 'TimeoutError'), 'TimeoutException'],
    ['an error named like it', Object.assign(new Error('late'), { name: 'TimeoutError' }), 'TimeoutException'],
    ['one of ours', ours, 'QuotaExceededException'],
  ])('%s', (_, reason, type) => {
    const error = stopError(reason);
    expect(error.type).toBe(type);
    if (reason === ours) expect(error).toBe(ours);
    else expect(error.cause).toBe(reason);
  });

  test('only a time limit may pass by itself', () => {
    expect([stopError('enough').retryable, stopError(new DOMException('late', 'TimeoutError')).retryable]).toEqual([false, true]);
  });
});

describe('a signal that follows others', () => {
  test('stops with the first of them and keeps its reason', () => {
    const one = new AbortController();
    const other = new AbortController();
    const { signal } = followSignals(one.signal, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort(new DOMException('late', 'TimeoutError'));
    one.abort('enough');
    expect(signal.reason).toBeInstanceOf(TimeoutException);
  });

  test('is aborted from the beginning where one of them is', () => {
    expect(followSignals(new AbortController().signal, AbortSignal.abort('enough')).signal.reason).toBeInstanceOf(CancelledException);
  });

  test('leaves no listener behind once it is forgotten', () => {
    const { signal } = new AbortController();
    const { forget } = followSignals(signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    forget();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

test('signals of ours are told from those of others', () => {
  const stopper = openStopper();
  expect([stopper.signal, followSignals(stopper.signal).signal, new AbortController().signal].map(isStopSignal)).toEqual([
    true,
    true,
    false,
  ]);
  stopper.stop('enough');
  expect(stopper.signal.reason).toBeInstanceOf(CancelledException);
});

test('as many may follow one signal as there are calls, without a warning', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  const { signal } = new AbortController();
  const following = Array.from({ length: 50 }, () => followSignals(signal));
  await new Promise((resolve) => setImmediate(resolve)); // warnings are told a turn later
  process.off('warning', listen);
  for (const { forget } of following) forget();
  expect(warnings).toEqual([]);
});
