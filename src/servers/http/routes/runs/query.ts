import { ArgumentException } from '../../../../core/errors.ts';
import type { RunQuery, RunState } from '../../../../core/ports/runs.ts';
import { didYouMean } from '../../../../lib/text/nearest.ts';

/** What a caller asks of the history. */
export interface AskedRuns {
  readonly query: RunQuery;
  readonly cursor: string | undefined;
}

const KEYS = ['status', 'action', 'caller', 'since', 'until', 'text', 'cursor', 'limit'] as const;
const STATES: readonly RunState[] = ['queued', 'running', 'ok', 'failed', 'cancelled', 'dead', 'indeterminate'];
const MAX_LIMIT = 1_000;

/** Reads what follows the question mark of `/runs`. */
export const readQuery = (text: string): AskedRuns => {
  const given = new URLSearchParams(text);
  for (const key of given.keys())
    if (!isKey(key)) throw wrong(key, `is not known${didYouMean(key, KEYS) || `; there are ${KEYS.join(', ')}.`}`);
  const value = (key: (typeof KEYS)[number]): string | undefined => given.get(key) ?? undefined;
  const [status, since, until, limit] = [value('status'), value('since'), value('until'), value('limit')];
  const plain = { action: value('action'), caller: value('caller'), text: value('text') };
  return {
    cursor: value('cursor'),
    query: {
      ...(status !== undefined && { states: statesIn(status) }),
      ...(since !== undefined && { since: momentIn('since', since) }),
      ...(until !== undefined && { until: momentIn('until', until) }),
      ...(limit !== undefined && { limit: limitIn(limit) }),
      ...(plain.action !== undefined && { action: plain.action }),
      ...(plain.caller !== undefined && { caller: plain.caller }),
      ...(plain.text !== undefined && { text: plain.text }),
    },
  };
};

const isKey = (key: string): key is (typeof KEYS)[number] => KEYS.some((known) => known === key);

const statesIn = (text: string): readonly RunState[] =>
  text.split(',').map((word) => {
    const state = STATES.find((known) => known === word);
    if (state === undefined) throw wrong('status', `has ${JSON.stringify(word)}; use ${STATES.join(', ')}, several with commas.`);
    return state;
  });

const momentIn = (key: string, text: string): number => {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw wrong(key, 'is no time; write it as 2026-01-31T12:00:00Z.');
  return ms;
};

const limitIn = (text: string): number => {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw wrong('limit', `is no whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
};

const wrong = (key: string, words: string) => new ArgumentException(`The parameter ${key} ${words}`, { context: { argument: key } });
