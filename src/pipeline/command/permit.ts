import type { Policy } from '../../access/policy.ts';
import type { Role } from '../../core/args.ts';
import type { Access, FilePort } from '../../core/files.ts';
import { LATER } from '../../core/planning.ts';
import { isKnown, type Ready } from '../../core/ready.ts';
import { resolvePath } from '../../lib/fs/resolve.ts';
import { codeOf } from '../../lib/fs/system-fault.ts';
import { parseLocation } from '../../lib/location/location.ts';
import type { Bindings } from './bind.ts';

/** Refuses early what the ports would refuse at the last moment, so that nothing of the command has happened. */
export const permit = (ready: Ready, args: Bindings, policy: Policy, files: () => FilePort): void => {
  for (const { key, role } of ready.guarded) {
    const value = args[key];
    if (value !== null && value !== undefined && value !== LATER) judge(role, value, policy, files);
  }
  const { location } = ready.action;
  if (location !== undefined && isKnown(location, args)) judge(location.role, location.of(args), policy, files);
};

const judge = (role: Role, value: unknown, policy: Policy, files: () => FilePort) => {
  const access = ACCESS_OF[role];
  if (access !== undefined && typeof value === 'string') return judgePath(value, access, policy, files); // as nearly all are
  if (role === 'command') return policy.demandExecutes(Array.isArray(value) ? String(value[0]) : String(value));
  if (role === 'host') return policy.demandHost(String(value));
  if (role === 'url') return policy.demandHost(hostOf(String(value)));
  for (const each of Array.isArray(value) ? value : [value]) {
    const place = LOCATION_ACCESS_OF[role];
    if (access !== undefined && typeof each === 'string') judgePath(each, access, policy, files);
    if (place !== undefined) judgeLocation(String(each), place, policy, files);
  }
};

const hostOf = (target: string): string => (URL.canParse(target) ? new URL(target).hostname : target);

/** One on this machine is judged as a path; of others the rules say what may be used. */
const judgeLocation = (written: string, access: Access, policy: Policy, files: () => FilePort) => {
  const { scheme, path } = parseLocation(written);
  if (scheme === 'local') judgePath(path, access, policy, files);
  else if (scheme === 'http' || scheme === 'https') policy.demandHost(hostOf(path));
  else policy.demandLocation(written, access);
};

const ACCESS_OF: Partial<Record<Role, Access>> = {
  reads: 'read',
  readsTree: 'read',
  writes: 'write',
  writesTree: 'write',
  removes: 'remove',
  removesTree: 'remove',
};

const LOCATION_ACCESS_OF: Partial<Record<Role, Access>> = {
  readsLocation: 'read',
  writesLocation: 'write',
  removesLocation: 'remove',
};

const judgePath = (path: string, access: Access, policy: Policy, files: () => FilePort) => {
  // Most paths are written plainly below a root; the port looks at links when the time comes.
  if (policy.covers(path, access)) return;
  const absolute = files().absolute(path);
  if (policy.covers(absolute, access)) return;
  const real = endOf(absolute);
  if (real !== undefined) policy.rootFor(real, access, path);
};

/** Undefined for links in a circle: only the port knows whether they are followed at all. */
const endOf = (absolute: string): string | undefined => {
  try {
    return resolvePath(absolute);
  } catch (fault) {
    if (codeOf(fault) === 'ELOOP') return undefined;
    throw fault;
  }
};
