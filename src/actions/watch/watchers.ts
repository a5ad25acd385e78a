import { TriggerException } from '../../core/errors.ts';
import type { Watchers } from '../../core/ports/watchers.ts';
import type { Services } from '../../core/ports.ts';
import * as shapes from '../../core/shapes.ts';

export const KINDS = ['created', 'modified', 'deleted', 'moved'] as const;

/** A watcher as it is shown. */
export const snapshot = shapes.object({
  name: shapes.text(),
  path: shapes.text(),
  events: shapes.list(shapes.oneOf(KINDS)),
  recursive: shapes.flag(),
  running: shapes.flag(),
  actions: shapes.integer(),
  state: shapes.oneOf(['watching', 'polling', 'degraded', 'missing', 'idle']),
  message: shapes.nullable(shapes.text()),
  files: shapes.integer(),
  waiting: shapes.integer(),
});

/** The watchers of the house. */
export const demandWatchers = ({ watchers }: Services): Watchers => {
  if (watchers === undefined) {
    throw new TriggerException('There are no watchers here; run this through factotum serve, or createFactotum({ store }).');
  }
  return watchers;
};
