import { troubleOf } from './exceptions.ts';

/** The connection was refused, lost or never made. */
export const unreachable = (url: URL, cause: unknown) =>
  troubleOf(`No server answers at ${url.href} (${wordsOf(cause)}); check that it runs there.`, {
    trouble: 'unreachable',
    remedy: 'Check that the server runs and that this is its address.',
    retryable: true,
    context: { url: url.href },
    cause,
  });

/** `fetch failed` says nothing; its cause does, where there is one. */
const wordsOf = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  const { cause } = fault;
  if (!(cause instanceof Error)) return fault.message;
  return 'code' in cause ? String(cause.code) : cause.message;
};

/** No answer in time. */
export const tooLate = (url: URL, timeoutMs: number, cancels: boolean) =>
  troubleOf(
    `The server at ${url.href} did not answer within ${timeoutMs} ms, and what was sent ${
      cancels ? 'is cancelled there where the server still hears of it' : 'may still run there'
    }; allow more by timeoutMs.`,
    {
      trouble: 'timeout',
      remedy: `Allow more time by timeoutMs${cancels ? '' : ', or let the server cancel by cancelOnDisconnect'}.`,
      retryable: true,
      context: { url: url.href, timeout_ms: timeoutMs },
    },
  );

/** The signal of the caller: a time that is over, or anything else. Whatever it was aborted with is the cause. */
export const stopped = (url: URL, { reason }: AbortSignal) => {
  const isTime = reason instanceof Error && reason.name === 'TimeoutError';
  return troubleOf(
    isTime
      ? `The time that the signal allowed the server at ${url.href} is over, and what was sent may still run there; allow more.`
      : `The call to ${url.href} was cancelled, and what was sent may still run there; cancel the run to end it.`,
    {
      trouble: isTime ? 'timeout' : 'cancelled',
      remedy: isTime ? 'Allow more time.' : 'Call cancel with the id of the run, or let the server cancel by cancelOnDisconnect.',
      retryable: isTime,
      context: { url: url.href },
      cause: reason,
    },
  );
};

/** Something else than a factotum server answered. */
export const malformed = (url: URL, words: string, { status, cause }: { readonly status?: number; readonly cause?: unknown } = {}) =>
  troubleOf(`What answers at ${url.href} ${words}; check that it is a factotum server.`, {
    trouble: 'malformed',
    remedy: 'Check the address.',
    status,
    context: { url: url.href },
    cause,
  });
