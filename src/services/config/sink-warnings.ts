import { UrlValidationException } from '../../core/errors.ts';
import { bareHost, judgeHost, judgeUrl } from '../../lib/net/judge-url.ts';
import { whyRefused } from '../../lib/net/refusal.ts';
import type { Config } from './config.generated.ts';

type Sink = Config['notify']['sinks'][number];

/** Sinks whose address would be refused, as far as that can be told without asking anybody: they would miss every message. */
export const sinkWarnings = (sinks: readonly Sink[]): string[] =>
  sinks.flatMap((sink) => {
    try {
      judge(sink);
      return [];
    } catch (fault) {
      if (!(fault instanceof UrlValidationException)) throw fault;
      return [`The sink ${sink.name} will get nothing, because its address is refused: ${whyRefused(fault)}.`];
    }
  });

const judge = (sink: Sink): void => {
  if (!('allow_private_hosts' in sink)) return; // the address is the vendor's
  const rules = { allowPrivate: sink.allow_private_hosts };
  const address = sink.type === 'email' ? sink.host : sink.type === 'webhook' ? sink.url : sink.webhook_url;
  if (address.includes('${')) return;
  if (sink.type === 'email') judgeHost(bareHost(address), rules);
  else judgeUrl(address, rules);
};
