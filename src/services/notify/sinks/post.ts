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
  readonly now: number;
}

const LONGEST_ANSWER = 64 * 1024;
const SHOWN_ANSWER = 200;

/** Posts JSON; redirects are not followed, since nobody knows what would be done with the message there. */
export const post = async (network: Network, { sink, url, headers, body, rules, ca, signal, now }: Post): Promise<void> => {
  await using client = network.openHttp({ rules, ca });
  const answer = await client.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'factotum', ...headers },
    body,
    signal,
    maxRedirects: 0,
    maxBytes: LONGEST_ANSWER,
  });
  // Taken is taken: a body that is too long or never ends would only make us send the message again.
  if (answer.status >= 200 && answer.status < 300) return;
  const text = await textOf(answer);
  const said = withoutSecrets(text, answer.url, headers).replace(/\s+/g, ' ').trim();
  throw new NotificationException(`${answer.url.host} answered ${answer.status}${said === '' ? '' : `: ${cut(said, SHOWN_ANSWER)}`}.`, {
    context: { sink, status: answer.status, ...retryAfter(answer, text, now) },
    retryable: answer.status === 408 || answer.status === 429 || answer.status >= 500,
  });
};

/** Shorter values of headers are words that stand everywhere. */
const SHORTEST_SECRET = 6;

/** Some servers repeat what they were asked for: whoever knows the path, or the headers that were configured, can post. */
const withoutSecrets = (text: string, { pathname, search }: URL, headers: Post['headers']): string =>
  [
    ...[`${pathname}${search}`, pathname].filter((path) => path !== '/'),
    ...Object.values(headers).filter(({ length }) => length >= SHORTEST_SECRET),
  ].reduce((shown, secret) => shown.replaceAll(secret, '***'), text);

/** The beginning of what the server said, as far as it comes: its status has told the rest. */
const textOf = async ({ body }: HttpAnswer): Promise<string> => {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch {}
  return Buffer.concat(chunks).toString();
};

/** How long the server wants to be left alone: in seconds or as a date in its header, or as Telegram writes it. */
const retryAfter = ({ headers }: HttpAnswer, text: string, now: number): { readonly retry_after_s?: number } => {
  const said = headers['retry-after'] ?? /"retry_after"\s*:\s*(\d{1,9})/.exec(text)?.[1];
  const seconds = Number(said ?? Number.NaN);
  const wait = Number.isNaN(seconds) ? Math.ceil((Date.parse(String(said)) - now) / 1000) : seconds;
  return wait > 0 ? { retry_after_s: wait } : {};
};
