import { narrowShares, type RequireApproval } from '../core/caller-limits.ts';
import type { Policy } from './policy.ts';

/** Of two limits the one that holds; 0 is none. */
const tighter = (one: number, other: number): number => (one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other));

/** From the mildest to the strictest. */
const APPROVALS: readonly RequireApproval[] = ['none', 'destructive', 'all'];

const stricter = (one: RequireApproval, other: RequireApproval): RequireApproval =>
  APPROVALS.indexOf(one) > APPROVALS.indexOf(other) ? one : other;

/** What two policies both allow. */
export const bothPolicies = (one: Policy, other: Policy): Policy => ({
  form: one.form && other.form && { kind: 'both', one: one.form, other: other.form },
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
