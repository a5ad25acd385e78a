import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { NotificationException } from '../../../core/errors.ts';
import type { WebhookSink } from '../../../core/ports/notify.ts';
import type { Message } from '../message.ts';

/** Our own JSON, as text: the signature covers exactly these bytes. */
export const webhookBody = ({ subject, body, level, at, context }: Message): string =>
  JSON.stringify({ subject, body, level, source: 'factotum', host: hostname(), at, context });

/** Headers of one attempt. With a secret they follow Standard Webhooks, whose libraries check them in most languages. */
export const webhookHeaders = (
  { extra_headers, hmac_secret, name }: WebhookSink,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Record<string, string> => {
  for (const [key, value] of Object.entries(extra_headers)) demandHeader(key, value, name);
  const timestamp = String(Math.floor(now / 1000));
  const signature =
    hmac_secret === undefined
      ? {}
      : { 'webhook-timestamp': timestamp, 'webhook-signature': sign(hmac_secret, `${id}.${timestamp}.${body}`) };
  return { ...extra_headers, 'webhook-id': id, ...signature };
};

const sign = (secret: string, text: string): string => {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
};

/** Header lines end where the value says so: one with a line break would write headers of its own. */
const demandHeader = (key: string, value: string, sink: string): void => {
  if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key) && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return;
  throw new NotificationException(
    `The header ${JSON.stringify(key.slice(0, 40))} of the sink ${sink} holds characters that no header may.`,
    {
      context: { sink },
    },
  );
};
