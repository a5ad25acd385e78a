import { ExecuteActionException } from '../../core/errors.ts';

/** How deep lists may nest; the list of the request is at depth 1. */
const MAX_DEPTH = 64;

/** Refuses a list that stands too deep inside others. */
export const demandDepth = (depth: number): void => {
  if (depth > MAX_DEPTH) {
    throw new ExecuteActionException(`Lists are nested deeper than ${MAX_DEPTH}; flatten them.`, { context: { limit: MAX_DEPTH } });
  }
};
