import { readFile } from 'node:fs/promises';
import { NotificationException } from '../../../core/errors.ts';
import type { SinkTable } from '../../../core/ports/notify.ts';
import type { Network } from '../../../lib/net/network.ts';
import type { Message } from '../message.ts';
import { discordBody } from './discord.ts';
import { sendEmail } from './email.ts';
import { pagerdutyRequest } from './pagerduty.ts';
import { type Post, post } from './post.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';
import { telegramRequest } from './telegram.ts';
import { webhookBody, webhookHeaders } from './webhook.ts';

export interface DeliverOptions {
  readonly network: Network;
  readonly now: number;
  readonly signal: AbortSignal;
}

const CHAT_BODIES = { slack: slackBody, discord: discordBody, teams: teamsBody } as const;

/** Hands one message to one sink, whose references are resolved; rejects unless the sink took it. */
export const deliver = async (sink: SinkTable, message: Message, { network, now, signal }: DeliverOptions): Promise<void> => {
  const ca = 'ca_file' in sink && sink.ca_file !== undefined ? await readCertificates(sink.ca_file, sink.name) : undefined;
  if (sink.type === 'email') return sendEmail(network, sink, message, { ca, signal });
  return post(network, {
    sink: sink.name,
    rules: { allowPrivate: 'allow_private_hosts' in sink && sink.allow_private_hosts },
    ca,
    signal,
    now,
    ...requestOf(sink, message, now),
  });
};

const requestOf = (sink: Exclude<SinkTable, { type: 'email' }>, message: Message, now: number): Pick<Post, 'url' | 'headers' | 'body'> => {
  if (sink.type === 'webhook') {
    const body = webhookBody(message);
    return { url: sink.url, headers: webhookHeaders(sink, { id: message.id, body, now }), body };
  }
  const { url, body } =
    sink.type === 'telegram'
      ? telegramRequest(sink, message)
      : sink.type === 'pagerduty'
        ? pagerdutyRequest(sink, message)
        : { url: sink.webhook_url, body: CHAT_BODIES[sink.type](message) };
  return { url, headers: {}, body: JSON.stringify(body) };
};

const readCertificates = (path: string, sink: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause: unknown) => {
    throw new NotificationException(`The \`ca_file\` of the sink ${sink} cannot be read; check the path.`, {
      cause,
      context: { sink, path },
    });
  });
