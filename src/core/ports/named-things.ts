import { nameOutOfSpace } from '../name-space.ts';
import { reachOf } from '../reach.ts';
import type { AskedBy } from './asked-by.ts';

/** What is kept of all callers together under names, as one caller sees it: its own things by the names that it gave them. */
export interface NamedThings {
  /** The name under which the caller's own is kept; throws where it has none that is called so. */
  demand(name: string, askedBy: AskedBy): Promise<string>;
  /** The name for something new; throws where the caller has one that is called so. */
  free(name: string, askedBy: AskedBy): Promise<string>;
  /** Whether something that is kept under this name is the caller's; everything is the owner's. */
  owned(askedBy: AskedBy): Promise<(kept: string) => boolean>;
  /** The same thing under the name that the caller gave it. */
  shown<T extends { readonly name: string }>(thing: T, askedBy: AskedBy): T;
}

export interface NamedThingsParts {
  /** Names the caller of a run that is under way; throws for any other. */
  callerOf(runId: string): string;
  /** The names under which things of a caller are kept. */
  namesOf(caller: string): Promise<readonly string[]>;
  unknown(name: string): Error;
  double(name: string): Error;
}

export const createNamedThings = ({ callerOf, namesOf, unknown, double }: NamedThingsParts): NamedThings => {
  const reach = ({ runId }: AskedBy) => reachOf(callerOf(runId), namesOf);
  const keptAs = (name: string, { ownName }: AskedBy): string => ownName?.(name) ?? name;
  return {
    async demand(name, askedBy) {
      const reached = await reach(askedBy);
      // What was stored before callers had a space of their own stands under its bare name.
      const kept = [keptAs(name, askedBy), name].find((each) => reached.has(each));
      if (kept === undefined) throw unknown(name);
      return kept;
    },
    async free(name, askedBy) {
      const kept = keptAs(name, askedBy);
      if (kept !== name && (await reach(askedBy)).has(kept)) throw double(name);
      return kept;
    },
    async owned(askedBy) {
      const reached = await reach(askedBy);
      return (kept) => reached.has(kept);
    },
    shown: (thing, { runId }) => ({ ...thing, name: nameOutOfSpace(callerOf(runId), thing.name) }),
  };
};
