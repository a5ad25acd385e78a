import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CancelledException, ExecuteActionException, FileAccessException, RetryExhaustedException, TimeoutException } from './errors.ts';
import { backoff, type RetryRule, retry, retryOnTransient } from './retry.ts';

const passing = () => new FileAccessException('busy', { retryable: true });
const rule: RetryRule = { attempts: 4, backoffS: 1, capS: 3 };

/** Work that fails some times and then succeeds; waits are written down instead of waited. */
const trying = (failures: number, fault: () => unknown = passing) => {
  const waits: number[] = [];
  let attempts = 0;
  return {
    waits,
    get attempts() {
      return attempts;
    },
    work: (attempt: number) => {
      attempts += 1;
      expect(attempt).toBe(attempts);
      if (attempts <= failures) throw fault();
      return 'value';
    },
    world: { wait: async (ms: number) => void waits.push(ms), random: () => 0.5 },
  };
};

describe('retrying', () => {
  test('gives the value of the first success, waiting a random share of a doubling that is capped', async () => {
    const { work, waits, world } = trying(3);
    expect(await retry(work, rule, world)).toBe('value');
    expect(waits).toEqual([500, 1_000, 1_500]);
  });

  test('ends with the last fault inside when all attempts failed, without a wait after the last', async () => {
    const { work, waits, world } = trying(9);
    const fault = await retry(work, rule, world).catch((each: unknown) => each);
    expect(fault).toBeInstanceOf(RetryExhaustedException);
    expect(fault).toMatchObject({
      message: 'All 4 attempts failed; the last one said: busy',
      context: { attempts: 4, last: 'FileAccessException' },
      cause: { message: 'busy' },
    });
    expect(waits).toHaveLength(3);
  });

  test('stops at a fault that will not pass', async () => {
    const { work, waits, world } = trying(9, () => new ExecuteActionException('wrong'));
    await expect(retry(work, rule, world)).rejects.toThrow(ExecuteActionException);
    expect(waits).toEqual([]);
  });

  test('of one attempt is still told as exhausted', async () => {
    await expect(retry(trying(1).work, { ...rule, attempts: 1 })).rejects.toThrow(RetryExhaustedException);
  });

  test('awaits work that takes its time', async () => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      if (attempts === 1) throw passing();
      return attempts;
    };
    expect(await retry(work, rule, trying(0).world)).toBe(2);
  });

  test('asks nothing once it is stopped', async () => {
    const { work, world } = trying(0);
    const signal = AbortSignal.abort(new CancelledException('enough'));
    await expect(retry(work, rule, { ...world, signal })).rejects.toThrow('enough');
  });

  test('ends a wait that is cut short', async () => {
    const controller = new AbortController();
    const { work } = trying(9);
    const running = retry(work, { ...rule, backoffS: 1_000, capS: 1_000 }, { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('waits as long as a timer can where the rule asks for more, and not for no time at all', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const controller = new AbortController();
    const running = retry(trying(9).work, { attempts: 9, backoffS: 1e9, capS: 1e9 }, { signal: controller.signal, random: () => 0.9 });
    await new Promise(setImmediate);
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('tells the time limit and not the attempts when the time ran out during the last one', async () => {
    const controller = new AbortController();
    const limit = new TimeoutException('too slow', { retryable: true });
    const work = () => {
      controller.abort(limit);
      throw limit;
    };
    await expect(retry(work, { ...rule, attempts: 1 }, { signal: controller.signal })).rejects.toBe(limit);
  });
});

describe('the back-off', () => {
  test('never exceeds its cap nor its doubling', () => {
    const numbers = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(
        numbers,
        numbers,
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (backoffS, capS, attempt, random) => {
          const wait = backoff({ attempts: 9, backoffS, capS }, attempt, () => random);
          expect(wait).toBeGreaterThanOrEqual(0);
          expect(wait).toBeLessThanOrEqual(backoffS === 0 ? 0 : Math.min(capS, backoffS * 2 ** (attempt - 1)));
        },
      ),
    );
  });
});

describe('a wrapped function', () => {
  test('keeps its arguments and is tried again', async () => {
    let attempts = 0;
    const flaky = retryOnTransient({ maxAttempts: 2, backoffBase: 0 })(async (a: number, b: string) => {
      attempts += 1;
      if (attempts === 1) throw passing();
      return `${a}${b}`;
    });
    expect(await flaky(1, 'x')).toBe('1x');
    expect(attempts).toBe(2);
  });

  test('is tried again after a real refused connection and a real time limit of fetch', async () => {
    const server = createServer((socket) => socket.resume().on('error', () => {}));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens
    const silent = `http://127.0.0.1:${port}/`;
    let attempts = 0;
    const ask = retryOnTransient({ maxAttempts: 3, backoffBase: 0 })(async () => {
      attempts += 1;
      if (attempts === 1) return fetch(silent, { signal: AbortSignal.timeout(1) });
      if (attempts === 2) {
        server.close();
        return fetch(silent);
      }
      return 'answer';
    });
    expect(await ask()).toBe('answer');
  });

  test('can decide itself what is worth another try', async () => {
    let attempts = 0;
    const stubborn = retryOnTransient({
      maxAttempts: 3,
      backoffBase: 0,
      retriable: (fault) => fault instanceof Error && fault.message === 'again',
    })(() => {
      attempts += 1;
      throw new Error(attempts < 2 ? 'again' : 'enough');
    });
    await expect(stubborn()).rejects.toThrow('enough');
    expect(attempts).toBe(2);
  });
});
