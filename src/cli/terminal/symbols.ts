import type { Status } from '../../core/result.ts';

/** The signs in front of results. */
export interface Symbols {
  readonly status: Readonly<Record<Status, string>>;
  readonly good: string;
  readonly warn: string;
  readonly bad: string;
  readonly bar: readonly [string, string];
}

const RICH: Symbols = {
  status: { ok: '✓', failed: '✗', skipped: '–', planned: '→', reused: '=', cancelled: '■', indeterminate: '?' },
  good: '✓',
  warn: '!',
  bad: '✗',
  bar: ['█', '░'],
};

const PLAIN: Symbols = {
  status: {
    ok: 'ok',
    failed: 'FAILED',
    skipped: 'skipped',
    planned: 'planned',
    reused: 'reused',
    cancelled: 'cancelled',
    indeterminate: 'unknown',
  },
  good: 'ok',
  warn: 'note',
  bad: 'FAILED',
  bar: ['#', '.'],
};

/** Signs beyond ASCII, unless the locale says that they cannot be shown. */
export const chooseSymbols = (env: Readonly<Record<string, string | undefined>>): Symbols => (showsUnicode(env) ? RICH : PLAIN);

/** Whether the locale shows UTF-8; true where none is set, as in most containers. */
export const showsUnicode = ({ LC_ALL, LC_CTYPE, LANG }: Readonly<Record<string, string | undefined>>): boolean => {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return locale === '' || /utf-?8/i.test(locale);
};
