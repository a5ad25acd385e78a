import type { Policy } from '../../access/policy.ts';
import type { Role } from '../../core/args.ts';
import type { Access, FilePort } from '../../core/files.ts';
import type { Ready } from '../../core/ready.ts';
import { resolvePath } from '../../lib/fs/resolve.ts';
import type { Bindings } from './bind.ts';

/** Refuses early what the ports would refuse at the last moment, so that nothing of the command has happened. */
export const permit = (ready: Ready, args: Bindings, policy: Policy, files: FilePort): void => {
  for (const at of ready.guarded) {
    const value = args[ready.keys[at] ?? ''];
    if (value === null || value === undefined) continue;
    for (const role of ready.args[at]?.roles ?? []) judge(role, value, policy, files);
  }
};

const judge = (role: Role, value: unknown, policy: Policy, files: FilePort) => {
  if (role === 'command') return policy.demandExecutes(Array.isArray(value) ? String(value[0]) : String(value));
  const access = ACCESS_OF[role];
  if (access === undefined) return;
  for (const path of Array.isArray(value) ? value : [value]) judgePath(String(path), access, policy, files);
};

const ACCESS_OF: Partial<Record<Role, Access>> = {
  reads: 'read',
  readsTree: 'read',
  writes: 'write',
  writesTree: 'write',
  removes: 'remove',
  removesTree: 'remove',
};

const judgePath = (path: string, access: Access, policy: Policy, files: FilePort) => {
  const absolute = files.absolute(path);
  if (!policy.covers(absolute, access)) policy.rootFor(resolvePath(absolute), access, path);
};
