import { createHash } from 'node:crypto';
import type { PagerdutySink } from '../../../core/ports/notify.ts';
import { cut, type Message } from '../message.ts';
import type { VendorRequest } from './post.ts';

const HOSTS = { us: 'events.pagerduty.com', eu: 'events.eu.pagerduty.com' } as const;

/** An event of the Events API v2: what failed opens an incident, what works again resolves the same one. */
export const pagerdutyRequest = ({ routing_key, source, region }: PagerdutySink, message: Message): VendorRequest => {
  const { incident, subject, body, level, at, context } = message;
  const url = `https://${HOSTS[region]}/v2/enqueue`;
  const key = incident === null ? {} : { dedup_key: createHash('sha256').update(incident.key).digest('hex') };
  if (incident?.phase === 'over') return { url, body: { routing_key, event_action: 'resolve', ...key } };
  return {
    url,
    body: {
      routing_key,
      event_action: 'trigger',
      ...key,
      payload: { summary: cut(subject, 1024), source, severity: level, timestamp: at, custom_details: { ...context, body } },
      client: 'factotum',
    },
  };
};
