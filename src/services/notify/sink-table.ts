import { NotificationException, UrlValidationException } from '../../core/errors.ts';
import type { SinkDescription, SinkTable } from '../../core/ports/notify.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';
import type { Network } from '../../lib/net/network.ts';
import { refusalText } from './attempt.ts';
import { demandAddresses } from './sinks/email.ts';

/** What may be shown of a sink: nothing that lets somebody else use it. */
export const describeSink = (sink: SinkTable): SinkDescription => {
  const { name, type } = sink;
  switch (sink.type) {
    case 'email':
      return { name, type, host: sink.host, port: sink.port, recipients: sink.recipients };
    case 'telegram':
      return { name, type, chat_id: sink.chat_id };
    case 'pagerduty':
      return { name, type, source: sink.source };
    default:
      return { name, type, url_host: hostOf(addressOf(sink) ?? '') };
  }
};

/** The URL of a sink that has one of its own. */
const addressOf = (sink: SinkTable): string | undefined =>
  sink.type === 'webhook' ? sink.url : 'webhook_url' in sink ? sink.webhook_url : undefined;

/** Null where the address stands behind a reference. */
const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null);

/** Refuses a sink that could never be sent anything. */
export const demandUsable = async (sink: SinkTable, network: Network): Promise<void> => {
  if (sink.type === 'email') demandAddresses(sink);
  const url = addressOf(sink);
  if (url === undefined || !('allow_private_hosts' in sink)) return;
  await network.validate(url, { allowPrivate: sink.allow_private_hosts }).catch((fault: unknown) => {
    if (!(fault instanceof UrlValidationException)) throw fault;
    const { reason = null, host = null } = fault.context;
    throw new UrlValidationException(`The sink ${sink.name} cannot be used. ${refusalText(fault)}`, {
      context: { sink: sink.name, reason, host },
    });
  });
};

/** Refuses what only the configuration may say, since it opens the way into private networks and reads a file. */
export const demandOrdinary = (sink: SinkTable): void => {
  if (!('allow_private_hosts' in sink) || (!sink.allow_private_hosts && sink.ca_file === undefined)) return;
  const key = sink.allow_private_hosts ? 'allow_private_hosts' : 'ca_file';
  throw new NotificationException(`The sink ${sink.name} asks for \`${key}\`; put it into the configuration, where that is allowed.`, {
    context: { sink: sink.name, key },
  });
};

/** What must not be shown of a sink. */
export const secretsOf = (sink: SinkTable): readonly string[] => {
  switch (sink.type) {
    case 'webhook':
      return [...addressForms(sink.url), ...secretHeaders(sink.extra_headers), sink.hmac_secret ?? ''];
    case 'email':
      return [sink.password ?? ''];
    case 'telegram':
      return [sink.bot_token];
    case 'pagerduty':
      return [sink.routing_key];
    default:
      return addressForms(sink.webhook_url);
  }
};

const SHORTEST_SECRET_PATH = 24;

/** Whoever knows the path can post. A short one is no secret, and hiding it would hide paths of files that read alike. */
const addressForms = (url: string): readonly string[] => {
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: '', search: '' };
  const path = `${pathname}${search}`;
  return path.length < SHORTEST_SECRET_PATH ? [url] : [url, path];
};

/** Other headers hold words that stand everywhere, such as the type of the content. */
const secretHeaders = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => (/auth|token|key|secret|cookie|pass|sign/i.test(name) ? [value] : []));

/** The sink with every reference replaced; `resolve` is told the key it stands under. */
export const resolveSink = async (sink: SinkTable, resolve: (text: string, key: string) => Promise<string>): Promise<SinkTable> => {
  const texts = new Map<string, string>();
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string' && value.includes('${')) texts.set(value, key);
    else if (typeof value === 'object' && value !== null)
      for (const [each, inner] of Object.entries(value)) collect(inner, `${key}.${each}`);
  };
  collect(sink, `notify.sinks.${sink.name}`);
  const resolved = new Map<string, string>();
  for (const [text, key] of texts) resolved.set(text, await resolve(text, key));
  // Replacing texts keeps the shape.
  return rewriteJson(sink, { text: (text) => resolved.get(text) ?? text }) as SinkTable;
};
