import { ActionACL } from '../../../access/acl.ts';
import { bothPolicies } from '../../../access/both-policies.ts';
import type { Caller } from '../../../access/caller.ts';

/** What both callers may do, under the name of the first: a token's holder gains nothing by speaking MCP. */
export const narrowCaller = (one: Caller, other: Caller): Caller => ({
  name: one.name,
  remote: one.remote || other.remote,
  ...revokedWith(one, other),
  ...merge('acl', one.acl, other.acl, bothAcls),
  ...merge('policy', one.policy, other.policy, bothPolicies),
});

const revokedWith = (one: Caller, other: Caller): Pick<Caller, 'revoked'> => {
  const revoked = one.revoked ?? other.revoked;
  return revoked === undefined ? {} : { revoked };
};

const merge = <K extends 'acl' | 'policy', T>(key: K, one: T | undefined, other: T | undefined, both: (one: T, other: T) => T) => {
  const value = one === undefined ? other : other === undefined ? one : both(one, other);
  // One key with one value; the type of a computed key is wider than that.
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: T };
};

/** The class keeps its rules private, so both are asked. */
const bothAcls = (one: ActionACL, other: ActionACL): ActionACL =>
  Object.assign(new ActionACL(), {
    permits: ((name, about) => one.permits(name, about) && other.permits(name, about)) satisfies ActionACL['permits'],
  });
