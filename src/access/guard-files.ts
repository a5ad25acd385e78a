import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { PolicyException } from '../core/errors.ts';
import type { Access } from '../core/files.ts';
import { isAtOrBelow } from '../lib/fs/lexical.ts';
import { ownPlaceIn } from '../lib/fs/own-names.ts';
import { resolvePath } from '../lib/fs/resolve.ts';
import type { Policy } from './policy.ts';

/** What is the house's own among the files of callers with limits, whatever their roots allow. */
export interface Guarded {
  /** Files, and directories with all in them, that stay as they are: they decide what callers may do and what code is run. */
  readonly fixed?: readonly string[];
  /** Directories and files that nobody looks into or changes: they hold what others did, or secrets. */
  readonly shut?: readonly string[];
}

/** A configuration is found by its name wherever somebody starts the house; some file systems do not tell letters apart. */
const CONFIGURATION = /[\\/]factotum\.toml$/i;

/**
 * A policy under which nobody reaches what is guarded. Wherever they are, directories of ours (`own-names.ts`) are shut, and nobody writes
 * a configuration.
 */
export const guardFiles = (policy: Policy, { fixed = [], shut = [] }: Guarded = {}): Policy =>
  guardPaths(policy, { fixed: spellings(fixed), shut: spellings(shut) });

/** The same for real paths: the disk is not asked. */
export const guardPaths = (policy: Policy, { fixed: fixedPaths, shut: shutPaths }: Required<Guarded>): Policy => {
  const findFixed = (path: string): string | undefined =>
    fixedPaths.find((fixed) => isAtOrBelow(fixed, path, sep)) ?? (CONFIGURATION.test(path) ? path : undefined);
  const isShut = (path: string): boolean =>
    shutPaths.some((directory) => isAtOrBelow(directory, path, sep)) || ownPlaceIn(path) !== undefined;

  return {
    ...policy,
    form: policy.form && { kind: 'guarded', inner: policy.form, fixed: fixedPaths, shut: shutPaths },
    rootFor(realPath, access, shown) {
      const root = policy.rootFor(realPath, access, shown); // first, so that nobody learns what is guarded outside
      if (isShut(realPath)) throw closed(shown, access);
      const decides = access === 'read' ? undefined : findFixed(realPath);
      if (decides !== undefined) throw unchangeable(decides, shown, access);
      return root;
    },
    covers: (path, access) => !isShut(path) && (access === 'read' || findFixed(path) === undefined) && policy.covers(path, access),
    judgeTree(realPath, access, shown) {
      const held = shutPaths.find((directory) => isAtOrBelow(realPath, directory, sep));
      if (held !== undefined) throw closed(shown, access, held);
      const decides = fixedPaths.find((file) => isAtOrBelow(realPath, file, sep));
      if (decides !== undefined) throw unchangeable(decides, shown, access);
      policy.judgeTree(realPath, access, shown);
    },
    shutBelow: (realPath) => ({
      paths: [
        ...policy.shutBelow(realPath).paths,
        ...shutPaths.filter((path) => isAtOrBelow(realPath, path, sep)).map((path) => relative(realPath, path)),
      ],
    }),
  };
};

/** Each path twice: a link may be replaced as well as what it leads to. What lies in another one is left out. */
const spellings = (paths: readonly string[]): readonly string[] => {
  const all = [...new Set(paths.flatMap((path) => [ownPath(resolve(path)), resolvePath(resolve(path))]))];
  return all.filter((path) => !all.some((other) => other !== path && isAtOrBelow(other, path, sep)));
};

/** Where the name itself stands: links on the way to it followed, not the one it may be. */
const ownPath = (file: string): string => join(resolvePath(dirname(file)), basename(file));

const unchangeable = (file: string, shown: string, access: Access) =>
  new PolicyException(`${file} decides what callers may do or what code is run, so only the owner may change ${shown}.`, {
    context: { rule: 'configuration', path: shown, access },
  });

const closed = (shown: string, access: Access, held = shown) =>
  new PolicyException(
    held === shown
      ? `${shown} is the service's own, so only its owner may use it; choose another path.`
      : `${shown} holds ${held}, which is the service's own, so only its owner may change it as a whole; choose directories beside that.`,
    { context: { rule: 'state', path: shown, access } },
  );
