import type { PlanApprovals } from '../../core/ports/approvals.ts';
import type { Services } from '../../core/ports.ts';
import type { QueuesParts } from '../../services/queue/queues.ts';
import { keepMasked } from './keep-masked.ts';
import { late } from './late.ts';
import type { LateState } from './late-state.ts';
import { openFileStore } from './open-file-store.ts';
import type { State } from './state.ts';

type Stored = keyof State['services'];

/** The services that keep something: nothing is opened before an action uses one. */
export const storedServices = ({ open }: Pick<LateState, 'open'>): Required<Pick<Services, Stored>> => ({
  audit: late(async () => (await open()).services.audit),
  notify: late(async () => (await open()).services.notify),
  queue: late(async () => (await open()).services.queue),
  scheduler: late(async () => (await open()).services.scheduler),
  watchers: late(async () => (await open()).services.watchers),
  integrity: late(async () => (await open()).services.integrity),
});

/** Those of an instance that would forget with its end what it was told to keep: of queues, the ones in files that callers name. */
export const unstoredServices = (
  state: Pick<LateState, 'open'>,
  { callerOf, mask }: Pick<QueuesParts, 'callerOf' | 'mask'>,
): Required<Pick<Services, 'audit' | 'notify' | 'queue'>> => {
  const { audit, notify } = storedServices(state);
  const queue = late(async () => {
    const { createQueues } = await import('../../services/queue/queues.ts');
    return createQueues({ store: undefined, openStore: async (file) => keepMasked(await openFileStore(file), mask), callerOf, mask });
  });
  return { audit, notify, queue };
};

/** Plans that wait for a yes, in the store of an instance. */
export const storedApprovals = ({ store }: Pick<LateState, 'store'>): PlanApprovals => ({
  propose: async (plan) => (await store()).approvals.propose(plan),
  consume: async (planHash, caller) => (await store()).approvals.consume(planHash, caller),
});
