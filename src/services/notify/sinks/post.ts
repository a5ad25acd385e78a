import { type Json, NotificationException } from '../../../core/errors.ts';
import type { HttpAnswer } from '../../../lib/net/http-client.ts';
import type { AddressRules } from '../../../lib/net/judge-url.ts';
import type { Network } from '../../../lib/net/network.ts';
import { cut } from '../message.ts';

/** What a vendor's interface is asked. */
export interface VendorRequest {
  readonly url: string;
  readonly body: Json;
}

/** A request to a sink, and under which rules it may be sent. */
export interface Post {
  readonly sink: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rules: AddressRules;
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

const LONGEST_ANSWER = 64 * 1024;
const SHOWN_ANSWER = 200;

/** Posts JSON; redirects are not followed, since nobody knows what would be done with the message there. */
export const post = async (network: Network, { sink, url, headers, body, rules, ca, signal }: Post): Promise<void> => {
  await using client = network.openHttp({ rules, ca });
  const answer = await client.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'factotum', ...headers },
    body,
    signal,
    maxRedirects: 0,
    maxBytes: LONGEST_ANSWER,
  });
  const text = await textOf(answer);
  if (answer.status >= 200 && answer.status < 300) return;
  const said = text.trim() === '' ? '' : `: ${cut(withoutPath(text, answer.url).replace(/\s+/g, ' ').trim(), SHOWN_ANSWER)}`;
  throw new NotificationException(`${answer.url.host} answered ${answer.status}${said}.`, {
    context: { sink, status: answer.status, ...retryAfter(answer) },
    retryable: answer.status === 408 || answer.status === 429 || answer.status >= 500,
  });
};

/** Some servers repeat what they were asked for, and whoever knows the path can post. */
const withoutPath = (text: string, { pathname, search }: URL): string =>
  pathname === '/' ? text : text.replaceAll(`${pathname}${search}`, '***').replaceAll(pathname, '***');

const textOf = async ({ body }: HttpAnswer): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const retryAfter = ({ headers }: HttpAnswer): { readonly retry_after_s?: number } => {
  const seconds = Number(headers['retry-after'] ?? Number.NaN);
  return seconds > 0 ? { retry_after_s: seconds } : {};
};
