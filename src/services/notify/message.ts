import { createHash, randomUUID } from 'node:crypto';
import { type Json, NotificationException } from '../../core/errors.ts';
import type { Incident, Notification, NotificationLevel } from '../../core/ports/notify.ts';

/** A message on its way: masked, cut to size, the same for every sink. */
export type Message = {
  /** Stays the same over all attempts, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly level: NotificationLevel;
  readonly at: string;
  readonly context: { readonly [key: string]: Json };
  readonly incident: Incident | null;
};

const LONGEST_BODY = 64 * 1024;
const LONGEST_SUBJECT = 500;
const RANK: Readonly<Record<NotificationLevel, number>> = { info: 0, warning: 1, error: 2 };

/** Whether a level is at least as important as another. */
export const isAtLeast = (level: NotificationLevel, least: NotificationLevel): boolean => RANK[level] >= RANK[least];

/** Makes a message of what somebody wants to tell; `mask` takes secrets out of every text. */
export const createMessage = (
  { subject, body = '', level = 'info', context = {}, incident }: Notification,
  { now, mask }: { readonly now: number; mask(value: unknown): unknown },
): Message => {
  if (subject === '' || /[\r\n\0]/.test(subject)) {
    throw new NotificationException('The subject of a notification must be one line that is not empty.', {
      context: { argument: 'subject' },
    });
  }
  if (!Object.hasOwn(RANK, level)) {
    throw new NotificationException('The level of a notification is info, warning or error.', { context: { argument: 'level' } });
  }
  // Masking keeps the shape.
  const safe = mask({ subject, body, context }) as Required<Pick<Notification, 'subject' | 'body' | 'context'>>;
  return {
    id: randomUUID(),
    subject: cut(safe.subject, LONGEST_SUBJECT),
    body: cut(safe.body, LONGEST_BODY),
    level,
    at: new Date(now).toISOString(),
    context: safe.context,
    incident: incident ?? null,
  };
};

/** What makes two messages the same one. */
export const fingerprintOf = ({ subject, body, level }: Message, sinks: readonly string[] | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify(sinks === undefined ? [subject, body, level] : [subject, body, level, [...sinks].sort()]))
    .digest('hex');

const TRUNCATED = '…[truncated]';

/** A text of at most so many characters; never half of a character. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - TRUNCATED.length).replace(/[\ud800-\udbff]$/, '')}${TRUNCATED}`;

/** Many messages as one. */
export const gather = (messages: readonly [Message, ...Message[]]): Message => {
  const [first] = messages;
  if (messages.length === 1) return first;
  const level = messages.reduce<NotificationLevel>((most, each) => (isAtLeast(each.level, most) ? each.level : most), 'info');
  const body = messages.map((each) => [`[${each.level}] ${each.at} ${each.subject}`, each.body].filter((line) => line !== '').join('\n'));
  return {
    id: first.id,
    subject: `${messages.length} notifications`,
    body: cut(body.join('\n\n'), LONGEST_BODY),
    level,
    at: messages.at(-1)?.at ?? first.at,
    context: { count: messages.length },
    incident: null,
  };
};
