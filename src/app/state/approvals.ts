import type { PlanApprovals } from '../../core/ports/approvals.ts';
import type { Store } from '../../services/engine/port.ts';

/** Plans that wait for a yes, and the store behind them. */
export interface UserApprovals extends PlanApprovals, AsyncDisposable {}

/** Plans in the store of this user, where `factotum approve` finds them; by default the usual file. Nothing is opened before it is needed. */
export const openApprovals = (file?: string): UserApprovals => {
  let opening: Promise<Store> | undefined;
  const open = async (): Promise<Store> => (await import('./user-store.ts')).openUserStore({ path: file }, process.env);
  const store = (): Promise<Store> => {
    opening ??= open();
    return opening;
  };
  return {
    propose: async (plan) => (await store()).approvals.propose(plan),
    consume: async (planHash, caller) => (await store()).approvals.consume(planHash, caller),
    async [Symbol.asyncDispose]() {
      await (await opening)?.close();
    },
  };
};
