import type { ErrorRecord } from '../core/result.ts';
import { type HTTPActionClientException, troubleOf } from './exceptions.ts';

/** The exception for an answer that is a refusal: a problem of the server, or whatever stands in its place. */
export const refusalOf = (response: Response, text: string, url: URL): HTTPActionClientException => {
  const { status } = response;
  const problem = problemIn(response, text);
  const error = isError(problem?.error) ? problem.error : undefined;
  const retryAfterS = secondsIn(response.headers.get('retry-after'));
  const remedy = REMEDIES[status] ?? (status < 400 ? 'Use the address that the server itself has.' : 'The message says what is wrong.');
  const { detail } = problem ?? {};
  const isProblem = typeof detail === 'string';
  return troubleOf(
    isProblem ? detail : `What answers at ${url.href} gave status ${status} and no reason; check that it is a factotum server.`,
    {
      trouble: isProblem ? 'refused' : 'malformed',
      remedy,
      status,
      error,
      retryAfterS,
      retryable: error?.retryable === true || status === 429 || status === 503,
      context: { ...error?.context, status },
    },
  );
};

const REMEDIES: Readonly<Record<number, string>> = {
  400: 'Send a list of commands, a wrapped list or a graph.',
  401: 'Pass the secret of the server, or of a token, as sharedSecret.',
  403: 'Ask the owner of the server for a token that may do this.',
  404: 'Look the name up with actions(), and check the address.',
  408: 'Try again over a faster connection.',
  409: 'Look at a new plan and send its hash.',
  413: 'Send the list in parts.',
  422: 'Correct the list; nothing of it ran.',
  429: 'Wait, then try again.',
  500: 'Look into the log of the server.',
  503: 'Wait, then try again.',
};

const problemIn = (response: Response, text: string): Readonly<Record<string, unknown>> | undefined => {
  if (!/^application\/(?:problem\+)?json/i.test(response.headers.get('content-type') ?? '')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // a broken problem is no reason to hide the status
  }
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const isError = (value: unknown): value is ErrorRecord =>
  isRecord(value) && typeof value.type === 'string' && typeof value.message === 'string' && isRecord(value.context);

const secondsIn = (header: string | null): number | undefined => (header !== null && /^\d+$/.test(header) ? Number(header) : undefined);
