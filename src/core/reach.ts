/** The names of things that a caller may see and change. */
export interface Reach {
  has(name: string): boolean;
}

const EVERYTHING: Reach = { has: () => true };
/** The name of the caller who may do everything. */
export const OWNER_NAME = 'owner';

/** What a caller has stored; everything there is, for the owner. */
export const reachOf = async (caller: string, namesOf: (caller: string) => Promise<readonly string[]>): Promise<Reach> =>
  caller === OWNER_NAME ? EVERYTHING : new Set(await namesOf(caller));
