import type { ProgressRegistry } from '../../core/progress.ts';
import { sharedFactotum } from '../shared-factotum.ts';

/** The progress of the shared instance, which is built at first use. */
export const progressRegistry: ProgressRegistry = {
  create: (name, start) => sharedFactotum().progress.create(name, start),
  lookup: (name) => sharedFactotum().progress.lookup(name),
  list: () => sharedFactotum().progress.list(),
  cancel: (name) => sharedFactotum().progress.cancel(name),
  forget: (name) => sharedFactotum().progress.forget(name),
  clearFinished: () => sharedFactotum().progress.clearFinished(),
  seenBy: (caller) => sharedFactotum().progress.seenBy(caller),
  seenFrom: (runId) => sharedFactotum().progress.seenFrom(runId),
  onChange: (listener) => sharedFactotum().progress.onChange(listener),
};
