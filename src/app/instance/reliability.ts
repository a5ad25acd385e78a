import type { GuardRules } from '../../core/guard-rules.ts';
import type { Guard } from '../../core/ports/limits.ts';
import type { Clock, Log, RunObserver, Services } from '../../core/ports.ts';
import type { Registry } from '../../core/registry.ts';
import type { Store } from '../../services/engine/port.ts';
import { createGuard } from '../../services/limits/guard.ts';
import { createLimits } from '../../services/limits/limits.ts';
import { createLocks } from '../../services/locks/locks.ts';
import { createTracing } from '../../services/tracing/tracing.ts';
import { openFileStore } from '../state/open-file-store.ts';

export interface ReliabilityParts {
  /** The store of the instance; where it has none, limits last as long as the process and locks need a file that is named. */
  store?(): Promise<Store | undefined>;
  readonly registry: Pick<Registry, 'about'>;
  readonly clock: Clock;
  readonly log: Log;
  newId(): string;
  observe(observer: RunObserver): () => void;
  /** Counts a program that runs for the caller of a run, until what it answers is called. */
  takeChild?(runId: string): () => void;
  /** Throws where a caller that has so many names of limits may have no further one. */
  demandName?(caller: string, used: number): void;
}

type Offered = { readonly [K in 'limits' | 'locks' | 'tracing']: NonNullable<Services[K]> };

/** What makes lists bear failure and shows what they did. */
export interface Reliability extends Offered {
  /** The guards of `[defaults.actions]`, by the real names of the actions, for the pipeline; undefined where there are none. */
  guards(rules?: Readonly<Record<string, GuardRules>>): ReadonlyMap<string, Guard> | undefined;
}

/** Makes the limits, locks and spans of one instance; nothing is opened before it is used. */
export const createReliability = (parts: ReliabilityParts): Reliability => {
  const { store = async () => undefined, registry, clock, log, newId, observe, takeChild, demandName } = parts;
  const limits = createLimits({ states: async () => (await store())?.states, clock, log, ...(demandName && { demandName }) });
  const locks = createLocks({
    store,
    openStore: async (file) => openFileStore(file, file.through && (await store())),
    clock,
    newId,
    ...(takeChild && { takeChild }),
  });
  return {
    limits,
    locks,
    tracing: createTracing({ observe, log }),
    guards(rules = {}) {
      const guarded = Object.entries(rules).map(([written, each]) => {
        const name = registry.about(written)?.name ?? written;
        return [name, createGuard(`action:${name}`, each, { limits, locks })] as const;
      });
      return guarded.length === 0 ? undefined : new Map(guarded);
    },
  };
};
