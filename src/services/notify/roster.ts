import type { Masker } from '../../access/mask.ts';
import { NotificationException } from '../../core/errors.ts';
import type { SinkDescription, SinkTable } from '../../core/ports/notify.ts';
import type { Network } from '../../lib/net/network.ts';
import { demandUsable, describeSink, resolveSink, secretsOf } from './sink-table.ts';

/** All sinks there are: those of the configuration and those that callers registered. */
export interface Roster {
  all(): readonly SinkTable[];
  /** The sink of that name; throws where there is none. */
  named(name: string): SinkTable;
  /** Adds or replaces a sink once it is found usable; `demand` may refuse it first. */
  add(table: unknown, demand: (sink: SinkTable) => void): Promise<SinkDescription>;
  /** Throws where the configuration has a sink of that name: who relies on it must not lose it to a list. */
  demandNotConfigured(name: string): void;
  remove(name: string): boolean;
  /** Answers how many there were. */
  clear(): number;
  /** Makes the sinks of the configuration those that are given, with their references; those that were registered stay. */
  configure(sinks: readonly SinkTable[], resolveSecret?: RosterParts['resolveSecret']): void;
  /** A sink with its references replaced by what they stand for now. */
  resolve(sink: SinkTable): Promise<SinkTable>;
}

export interface RosterParts {
  readonly network: Network;
  readonly masker: Pick<Masker, 'learn'>;
  /** Checks a table and fills in its defaults; throws `ConfigException`. */
  readSink(table: unknown): Promise<SinkTable>;
  /** A text of the configuration with its references replaced; throws `SecretNotFoundException`. */
  resolveSecret(text: string, key: string): Promise<string>;
}

export const createRoster = ({ network, masker, readSink, ...parts }: RosterParts): Roster => {
  let { resolveSecret } = parts;
  const sinks = new Map<string, SinkTable>();
  /** Only the texts of these may hold references. What callers register is taken as it stands, or it could read our secrets. */
  const configured = new Set<SinkTable>();

  /** From here on its secrets are masked wherever they turn up. */
  const learn = (sink: SinkTable): SinkTable => {
    for (const secret of secretsOf(sink)) if (!secret.includes('${')) masker.learn(secret);
    return sink;
  };

  return {
    all: () => [...sinks.values()],
    named(name) {
      const sink = sinks.get(name);
      if (sink !== undefined) return sink;
      throw new NotificationException(`There is no sink named ${name}; FA_notify_list shows all.`, { context: { sink: name } });
    },
    async add(table, demand) {
      const sink = learn(await readSink(table));
      demand(sink);
      await demandUsable(sink, network);
      sinks.set(sink.name, sink);
      return describeSink(sink);
    },
    demandNotConfigured(name) {
      const sink = sinks.get(name);
      if (sink !== undefined && configured.has(sink))
        throw new NotificationException(`The configuration has a sink named ${name}; choose another name, or change the configuration.`, {
          context: { sink: name },
        });
    },
    remove: (name) => sinks.delete(name),
    clear() {
      const { size } = sinks;
      sinks.clear();
      return size;
    },
    configure(tables, resolve = resolveSecret) {
      resolveSecret = resolve;
      for (const [name, sink] of sinks) if (configured.has(sink)) sinks.delete(name);
      configured.clear();
      for (const sink of tables) {
        configured.add(sink);
        sinks.set(sink.name, learn(sink));
      }
    },
    resolve: async (sink) => (configured.has(sink) ? learn(await resolveSink(sink, resolveSecret)) : sink),
  };
};
