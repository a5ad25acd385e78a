import type { Caller } from '../../access/caller.ts';
import type { Registry } from '../../core/registry.ts';
import type { Job } from '../run.ts';
import { visitNames } from './tree.ts';

/** Refuses the whole list when any command, at any depth, is not permitted. Asked again for every nested list when it runs. */
export const authorise = (job: Job, { acl }: Caller, registry: Registry): void => {
  if (acl !== undefined) visitNames(job.commands, registry, (name) => acl.demand(name, registry.about(name)), 'that run');
};
