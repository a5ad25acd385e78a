import type { Policy } from '../access/policy.ts';
import type { MeetLink } from '../lib/fs/resolve.ts';
import { codeOf } from '../lib/fs/system-fault.ts';

/**
 * A link may only lead where its maker may read: otherwise it would be a door for whoever follows it later. One that leads in a circle
 * leads nowhere, but where its parts stand something else may stand later: its maker must be able to read all those places.
 */
export const demandLinkInside = (policy: Policy, target: string, follow: (meet: MeetLink) => string): void => {
  const met = new Set<string>();
  let isCircle = false;
  const meet: MeetLink = (place) => {
    isCircle ||= met.has(place);
    met.add(place);
  };
  const end = endOf(() => follow(meet));
  if (end.real !== undefined) policy.rootFor(end.real, 'read', target);
  else if (!isCircle) throw end.fault;
  else for (const place of met) policy.rootFor(place, 'read', target);
};

/** Where it ends, or the fault that says that it goes through too many links. */
const endOf = (follow: () => string): { readonly real?: string; readonly fault?: unknown } => {
  try {
    return { real: follow() };
  } catch (fault) {
    if (codeOf(fault) !== 'ELOOP') throw fault;
    return { fault };
  }
};
