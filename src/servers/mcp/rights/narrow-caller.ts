import { ActionACL } from '../../../access/acl.ts';
import type { Caller } from '../../../access/caller.ts';
import type { Policy } from '../../../access/policy.ts';
import { narrowShares, type RequireApproval } from '../../../core/caller-limits.ts';

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

/** Of two limits the one that holds; 0 is none. */
const tighter = (one: number, other: number): number => (one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other));

/** From the mildest to the strictest. */
const APPROVALS: readonly RequireApproval[] = ['none', 'destructive', 'all'];

const stricter = (one: RequireApproval, other: RequireApproval): RequireApproval =>
  APPROVALS.indexOf(one) > APPROVALS.indexOf(other) ? one : other;

const bothPolicies = (one: Policy, other: Policy): Policy => ({
  ...narrowShares(one, other),
  maxBytes: tighter(one.maxBytes, other.maxBytes),
  maxDeletes: tighter(one.maxDeletes, other.maxDeletes),
  requireApproval: stricter(one.requireApproval, other.requireApproval),
  isSharedName: (name) => one.isSharedName(name) && other.isSharedName(name),
  rootFor(realPath, access, shown) {
    const [root, otherRoot] = [one.rootFor(realPath, access, shown), other.rootFor(realPath, access, shown)];
    return root.length >= otherRoot.length ? root : otherRoot; // both hold the path, so the longer lies in the shorter
  },
  covers: (path, access) => one.covers(path, access) && other.covers(path, access),
  judgeTree(realPath, access, shown) {
    one.judgeTree(realPath, access, shown);
    other.judgeTree(realPath, access, shown);
  },
  shutBelow(realPath) {
    const [own, others] = [one.shutBelow(realPath), other.shutBelow(realPath)];
    return { paths: [...own.paths, ...others.paths] };
  },
  demandExecutes(program) {
    one.demandExecutes(program);
    other.demandExecutes(program);
  },
  demandHost(host) {
    one.demandHost(host);
    other.demandHost(host);
  },
  demandLocation(written, access) {
    one.demandLocation(written, access);
    other.demandLocation(written, access);
  },
  demandEnv(name) {
    one.demandEnv(name);
    other.demandEnv(name);
  },
});
