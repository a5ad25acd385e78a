import type { Registry } from '../../core/registry.ts';
import type { Job } from '../run.ts';
import { visitNames } from './tree.ts';

/** Awaits the code of every action met at any depth; undefined when all of it is there, so that the rest may stay synchronous. */
export const load = (job: Job, registry: Registry): Promise<void> | undefined => {
  const names = new Set<string>();
  visitNames(job.commands, registry, (name) => names.add(name));
  return registry.load(names);
};
