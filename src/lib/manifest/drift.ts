import type { FailedCheck, IntegritySummary } from '../../core/ports/integrity.ts';
import type { Notification } from '../../core/ports/notify.ts';
import type { Outcome } from '../../core/result.ts';
import type { Verified } from './verify-manifest.ts';

/** More names than these say nothing more. */
const NAMES_KEPT = 1000;
const NAMES_TOLD = 5;

/** A comparison as the action for it told it. `alertOnExtra`: what could not be read may hold files that the manifest does not know. */
export const verifiedFrom = ({ value, notes = [] }: Outcome, alertOnExtra: boolean): Verified => {
  const { matched, missing, modified, extra, errors } = value as Verified; // that is what the action gives
  const unread = alertOnExtra ? notes.filter(({ kind }) => kind === 'unreadable') : [];
  const unsure = unread.flatMap(({ paths, message }) => [paths].flat().map((path): [string, string] => [String(path), message]));
  return { matched, missing, modified, extra, errors: [...errors, ...unsure] };
};

/** Whether a tree is as its manifest says. */
export const isIntact = ({ missing, modified, extra, errors }: Verified, alertOnExtra: boolean): boolean =>
  missing.length + modified.length + errors.length === 0 && !(alertOnExtra && extra.length > 0);

/** Sums a comparison up, so that it can be kept. */
export const summarise = (verified: Verified, alertOnExtra: boolean): IntegritySummary => ({
  ok: isIntact(verified, alertOnExtra),
  matched: verified.matched.length,
  missing: verified.missing.slice(0, NAMES_KEPT),
  modified: verified.modified.slice(0, NAMES_KEPT),
  extra: verified.extra.slice(0, NAMES_KEPT),
  errors: verified.errors.slice(0, NAMES_KEPT),
});

/** What people are told of a tree that is not, or may not be, as its manifest says. */
export const driftMessage = (root: string, found: IntegritySummary | FailedCheck, alertOnExtra: boolean): Notification => {
  const subject = `integrity drift: ${inOneLine(root)}`;
  if (!isSummary(found)) return { subject, body: `The check could not be made: ${found.error}`, level: 'error' };
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['missing', found.missing],
    ['modified', found.modified],
    ['extra', alertOnExtra ? found.extra : []],
    ['unreadable', found.errors.map(([path = '']) => path)],
  ];
  const lines = kinds.filter(([, names]) => names.length > 0).map(([kind, names]) => `${kind}: ${someOf(names)}`);
  return { subject, body: lines.join('\n'), level: 'error' };
};

/** What people are told when it is so again. */
export const restoredMessage = (root: string): Notification => ({
  subject: `integrity restored: ${inOneLine(root)}`,
  body: 'Everything is again as the manifest says.',
  level: 'info',
});

const inOneLine = (path: string): string => path.replace(/[\r\n]+/g, ' ');

const isSummary = (found: IntegritySummary | FailedCheck): found is IntegritySummary => !('error' in found);

const someOf = (names: readonly string[]): string => {
  const rest = names.length - NAMES_TOLD;
  return `${names.slice(0, NAMES_TOLD).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
};
