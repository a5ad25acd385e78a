/** What names of a limited caller begin with where everybody's are kept together. */
const spaceOf = (caller: string): string => `~${caller}/`;

/** The name under which something is kept that a caller with limits calls so: nobody else's has it. */
export const nameInSpace = (caller: string, name: string): string => `${spaceOf(caller)}${name}`;

/** What a caller calls something that is kept under this name; what is not in its space keeps its name. */
export const nameOutOfSpace = (caller: string, kept: string): string => {
  const space = spaceOf(caller);
  return kept.startsWith(space) ? kept.slice(space.length) : kept;
};

/** The caller in whose space something is kept; undefined: it is everybody's or the owner's. */
export const spaceIn = (kept: string): string | undefined => /^~([^/]+)\//.exec(kept)?.[1];
