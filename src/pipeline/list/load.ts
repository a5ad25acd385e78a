import type { Registry } from '../../core/registry.ts';
import type { House, Job } from '../run.ts';
import { visitNames } from './tree.ts';

/**
 * Awaits the code of every action met at any depth; undefined when all of it is there, so that the rest may stay synchronous.
 * Code that cannot be loaded is logged; the commands that need it fail in their turn.
 */
export const load = (job: Job, { registry, log }: Pick<House, 'registry' | 'log'>): Promise<void> | undefined => {
  if (areThere(job, registry)) return undefined;
  const names = new Set<string>();
  visitNames(job.commands, registry, (name) => names.add(name));
  return registry.load(names)?.catch((fault: unknown) => {
    log('error', 'the code of an action could not be loaded', {
      stack: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    });
  });
};

/** Nothing is to be loaded for commands that run no others and whose code is there. */
const areThere = ({ commands }: Job, registry: Registry): boolean => {
  for (const { name } of commands) {
    const ready = name === null ? undefined : registry.resolve(name);
    if (ready === undefined || ready.about.steps.length > 0) return false;
  }
  return true;
};
