import type { NotificationLevel } from '../../../core/ports/notify.ts';
import type { Message } from '../message.ts';

const SIGNS: Readonly<Record<NotificationLevel, string>> = { info: 'ℹ️', warning: '⚠️', error: '🚨' };

/** The subject with a sign of its importance before it. */
export const titleOf = ({ level, subject }: Message): string => `${SIGNS[level]} ${subject}`;

/** The body and the facts beside it, as plain lines. */
export const linesOf = ({ body, context }: Message): string =>
  [
    body,
    Object.entries(context)
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
