import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Policy } from '../../../access/policy.ts';
import { PolicyException } from '../../../core/errors.ts';
import type { Access } from '../../../core/files.ts';
import { isAtOrBelow } from '../../../lib/fs/lexical.ts';
import { resolvePath } from '../../../lib/fs/resolve.ts';

/** A policy under which some files cannot be made, changed or removed, whatever its roots allow. */
export const guardFiles = (policy: Policy, files: readonly string[]): Policy => {
  if (files.length === 0) return policy;
  // A link may be replaced as well as what it leads to.
  const guarded = [...new Set(files.flatMap((file) => [ownPath(resolve(file)), resolvePath(resolve(file))]))];
  const demand = (isTouched: (path: string) => boolean, access: Access, shown: string) => {
    const touched = access === 'read' ? undefined : guarded.find(isTouched);
    if (touched === undefined) return;
    throw new PolicyException(`${touched} decides what this caller may do, so ${shown} cannot be changed by it.`, {
      context: { rule: 'configuration', path: shown, access },
    });
  };
  return {
    ...policy,
    rootFor(realPath, access, shown) {
      demand((path) => path === realPath, access, shown);
      return policy.rootFor(realPath, access, shown);
    },
    covers: (path, access) => (access === 'read' || !guarded.includes(path)) && policy.covers(path, access),
    judgeTree(realPath, access, shown) {
      demand((path) => isAtOrBelow(realPath, path, sep), access, shown);
      policy.judgeTree(realPath, access, shown);
    },
  };
};

/** Where the name itself stands: links on the way to it followed, not the one it may be. */
const ownPath = (file: string): string => join(resolvePath(dirname(file)), basename(file));
