import { SecretNotFoundException } from '../../core/errors.ts';
import type { Notifier, NotifierParts } from '../../services/notify/notifier.ts';
import { readSink } from './read-sink.ts';

/** What an instance brings for its notifications. */
export type HouseNotifierParts = Pick<NotifierParts, 'store' | 'clock' | 'log' | 'masker'> &
  Partial<Pick<NotifierParts, 'sinks' | 'resolveSecret' | 'dedupMs' | 'meters' | 'network'>>;

/** Builds the notifier of an instance. Its code and that of the network are loaded here, not when an instance is made. */
export const openNotifier = async (parts: HouseNotifierParts): Promise<Notifier> => {
  const { createNetwork } = await import('../../lib/net/network.ts');
  const { createNotifier } = await import('../../services/notify/notifier.ts');
  return createNotifier({ network: createNetwork(), readSink, resolveSecret: nothingResolves, ...parts });
};

const nothingResolves = async (text: string, key: string): Promise<never> => {
  throw new SecretNotFoundException(
    `The reference ${text} of ${key} cannot be resolved here; only a configuration file holds references.`,
    {
      context: { reference: text, key },
    },
  );
};
