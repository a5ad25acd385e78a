import type { Masker } from '../access/mask.ts';
import type { Guard } from '../core/ports/limits.ts';
import type { Clock, Log, Meters, RunObserver, Services } from '../core/ports.ts';
import type { Registry } from '../core/registry.ts';
import { createAudit } from '../services/audit/audit.ts';
import type { Store } from '../services/engine/port.ts';
import { createGuard, type GuardRules } from '../services/limits/guard.ts';
import { createLimits } from '../services/limits/limits.ts';
import { createLocks } from '../services/locks/locks.ts';
import { createTracing } from '../services/tracing/tracing.ts';
import { openFileStore } from './open-file-store.ts';

export interface ReliabilityParts {
  /** The store of the instance, once it has one; without, limits last as long as the process and locks need a file that is named. */
  store?(): Store | undefined;
  readonly registry: Pick<Registry, 'about'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly masker: Masker;
  newId(): string;
  observe(observer: RunObserver): () => void;
  readonly meters?: Pick<Meters, 'breakerChanged'>;
}

/** What makes lists bear failure and shows what they did. */
export interface Reliability extends Required<Pick<Services, 'limits' | 'locks' | 'tracing' | 'audit'>> {
  /** The guards of `[defaults.actions]`, by the real names of the actions, for the pipeline; undefined where there are none. */
  guards(rules?: Readonly<Record<string, GuardRules>>): ReadonlyMap<string, Guard> | undefined;
}

/** Makes the limits, locks and spans of one instance, and an audit log for stores that are named; nothing is opened before it is used. */
export const createReliability = (parts: ReliabilityParts): Reliability => {
  const { store = () => undefined, registry, clock, log, masker, newId, observe, meters = { breakerChanged: () => {} } } = parts;
  const limits = createLimits({ states: () => store()?.states, clock, log, meters });
  const locks = createLocks({ store, openStore: openFileStore, clock, newId });
  return {
    limits,
    locks,
    audit: createAudit({ store: undefined, openStore: openFileStore, log, mask: masker.json }),
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
