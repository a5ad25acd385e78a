import { TriggerException } from '../../core/errors.ts';
import type { Watchers } from '../../core/ports/watchers.ts';
import type { Services } from '../../core/ports.ts';
import { array, boolean, choice, nullable, object, string, whole } from '../../core/shapes.ts';

export const KINDS = ['created', 'modified', 'deleted', 'moved'] as const;

/** A watcher as it is shown. */
export const snapshot = object({
  name: string(),
  path: string(),
  events: array(choice(KINDS)),
  recursive: boolean(),
  running: boolean(),
  actions: whole(),
  state: choice(['watching', 'polling', 'degraded', 'missing', 'idle']),
  message: nullable(string()),
  files: whole(),
  waiting: whole(),
});

/** The watchers of the house. */
export const demandWatchers = ({ watchers }: Services): Watchers => {
  if (watchers === undefined) {
    throw new TriggerException('There are no watchers here; run this through factotum serve, or createFactotum({ store }).');
  }
  return watchers;
};
