import { dirname } from 'node:path';
import type { Plan } from '../../core/result.ts';

/** The files of a plan whose content only a run knows, because an argument that is not known yet goes into them. */
export interface UnsureFiles {
  /** Follows one command, in order; gives the first of those files that it has to do with. */
  meet(plan: Plan): string | undefined;
}

/** What a command makes is as unsure as what it has to do with: a copy, what was moved. */
export const createUnsureFiles = (): UnsureFiles => {
  /** Each of them, and each directory above one, with one that is there. */
  const at = new Map<string, string>();
  const known = new Set<string>();
  const find = (target: string): string | undefined => at.get(target) ?? above(target).find((path) => known.has(path));
  return {
    meet({ effects, unknown = [] }) {
      const met = known.size === 0 ? undefined : effects.map(({ target }) => find(target)).find((path) => path !== undefined);
      if (met === undefined && unknown.length === 0) return undefined;
      for (const { kind, target } of effects) {
        if (kind !== 'create' && kind !== 'overwrite') continue;
        known.add(target);
        for (const path of [target, ...above(target)]) at.set(path, target);
      }
      return met;
    },
  };
};

const above = (path: string): readonly string[] => {
  const paths: string[] = [];
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) paths.push(at);
  return paths;
};
