import type { WalkPart } from '../fs/walk.ts';
import { divide } from './divide.ts';

/** Paths below a root as parts of a walk: those of one directory together. A directory has `/` at its end and stands for all in it. */
export const partsOf = (paths: Iterable<string>, links: ReadonlySet<string> = new Set()): WalkPart[] => {
  const parts = new Map<string, { readonly steps: string[]; readonly kinds: Map<string, 'link'> }>();
  for (const path of paths) {
    const isDirectory = path.endsWith('/');
    const [parent, name] = divide(isDirectory ? path : `${path}/`);
    const part = parts.get(parent) ?? { steps: [], kinds: new Map<string, 'link'>() };
    parts.set(parent, part);
    part.steps.push(isDirectory ? `${name}/` : name);
    if (links.has(path)) part.kinds.set(name, 'link');
  }
  return [...parts].map(([relative, part]) => ({ relative, ...part }));
};
