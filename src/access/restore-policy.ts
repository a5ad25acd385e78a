import { bothPolicies } from './both-policies.ts';
import { guardPaths } from './guard-files.ts';
import { type Policy, type PolicyForm, policyOf } from './policy.ts';

/** The policy that plain data describes. Roots were resolved when it was made, so the disk is not asked. */
export const restorePolicy = (form: PolicyForm): Policy => {
  switch (form.kind) {
    case 'rules':
      return policyOf(form.rules);
    case 'guarded':
      return guardPaths(restorePolicy(form.inner), form);
    case 'both':
      return bothPolicies(restorePolicy(form.one), restorePolicy(form.other));
  }
};
