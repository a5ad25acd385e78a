import type { NotificationLevel } from '../../../core/ports/notify.ts';
import type { Message } from '../message.ts';

const SIGNS: Readonly<Record<NotificationLevel, string>> = { info: 'ℹ️', warning: '⚠️', error: '🚨' };

/** The subject with a sign of its importance before it. */
export const titleOf = ({ level, subject }: Message): string => `${SIGNS[level]} ${readable(subject)}`;

/** The body and the facts beside it, as plain lines. */
export const linesOf = ({ body, context }: Message): string => readable(joined(body, context));

const joined = (body: string, context: Message['context']): string =>
  [
    body,
    Object.entries(context)
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

// Everything below the space but line breaks and tabs, and what turns the direction of a text.
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g;

/** Output of programs may hold what no chat shows, or what makes a text look like another. */
const readable = (text: string): string => text.replaceAll('\r\n', '\n').replace(STEERING, '\ufffd');
