import { describe, expect, test } from 'vitest';
import { CancelledException, ExecuteActionException, FileAccessException, TimeoutException } from './errors.ts';
import { isTransient } from './transient.ts';

const withCode = (code: unknown, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });
const inCircles = () => {
  const fault = new Error('x');
  fault.cause = new Error('y', { cause: fault });
  return fault;
};
const refusedByFetch = (cause: unknown) => new TypeError('fetch failed', { cause });

describe('what may pass by itself', () => {
  test.each([
    'ECONNRESET',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'EAI_AGAIN',
    'ETIMEOUT',
    'EBUSY',
    'EIO',
    'EINTR',
    'UND_ERR_SOCKET',
    'UND_ERR_HEADERS_TIMEOUT',
    'ERR_SOCKET_CONNECTION_TIMEOUT',
  ])('is %s', (code) => {
    expect(isTransient(withCode(code))).toBe(true);
    expect(isTransient(refusedByFetch(withCode(code)))).toBe(true);
  });

  test.each<[string, unknown]>([
    ['a host all of whose addresses refuse', refusedByFetch(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]))],
    ['a time limit', new DOMException('late', 'TimeoutError')],
    [
      'a wait cut short by a time limit',
      Object.assign(new Error('x', { cause: new DOMException('late', 'TimeoutError') }), { name: 'AbortError' }),
    ],
    ['a time limit of ours', new TimeoutException('late')],
    ['a typed error that says so', new FileAccessException('busy', { retryable: true })],
    ['an error that wraps such a one', new Error('no', { cause: new FileAccessException('busy', { retryable: true }) })],
  ])('is %s', (_, fault) => expect(isTransient(fault)).toBe(true));

  test.each<[string, unknown]>([
    ['a missing file', withCode('ENOENT')],
    ['a refusal', withCode('EACCES')],
    ['a number as code', withCode(5)],
    ['an error without a code', new Error('x')],
    ['a text', 'ECONNRESET'],
    ['nothing', null],
    ['a wish to stop', new DOMException('enough', 'AbortError')],
    ['a cancelled run', new CancelledException('enough')],
    ['a typed error, whatever it wraps', new ExecuteActionException('wrong', { cause: withCode('ECONNRESET') })],
    ['a time limit that will not pass', new TimeoutException('late', { retryable: false })],
    ['an error that goes round in circles', inCircles()],
  ])('is not %s', (_, fault) => expect(isTransient(fault)).toBe(false));

  test('is what any error says of itself, as those of the client do', () => {
    expect([true, false].map((retryable) => isTransient(Object.assign(withCode('ECONNRESET'), { retryable })))).toEqual([true, false]);
  });
});
