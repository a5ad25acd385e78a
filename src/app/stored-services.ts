import type { PlanApprovals } from '../core/ports/approvals.ts';
import type { Services } from '../core/ports.ts';
import { late } from './late.ts';
import type { LateState } from './late-state.ts';
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

/** Plans that wait for a yes, in the store of an instance. */
export const storedApprovals = ({ store }: Pick<LateState, 'store'>): PlanApprovals => ({
  propose: async (plan) => (await store()).approvals.propose(plan),
  consume: async (planHash, caller) => (await store()).approvals.consume(planHash, caller),
});
