import { dirname } from 'node:path';
import { noDir, notDirectory } from '../refusals.ts';
import { demandRoom } from './permission.ts';
import { dirOver } from './planned-tree.ts';
import type { Located, Planner, Seen } from './planner.ts';

/** Makes the directory at a path where it is missing; tells whether it was. */
export const ensurePlanned = async (planner: Planner, located: Located, { parents }: { readonly parents: boolean }): Promise<boolean> => {
  const { real, touched } = located;
  if ((await lookForDirectory(planner, located)) !== undefined) return false;
  if (parents && dirname(real) !== real) await ensurePlanned(planner, above(real), { parents });
  else await planner.demandParent(located);
  demandRoom(planner, located);
  planner.record('create', touched, {});
  planner.tree.put(real, dirOver(undefined, { mtimeMs: planner.now() }));
  return true;
};

/** The directories above something new, made where they are missing; gone again where the work that needs them fails. */
export const planParents = async <T = void>(
  planner: Planner,
  { real }: Pick<Located, 'real'>,
  work?: () => Promise<T>,
): Promise<T | undefined> => {
  const top = await topmostMissing(planner, real);
  await ensurePlanned(planner, above(real), { parents: true });
  try {
    return await work?.();
  } catch (fault) {
    if (top !== undefined) planner.tree.remove(top);
    throw fault;
  }
};

/** Refuses where the directories above something new could not be made, or nothing could be put there. */
export const demandParents = async (planner: Planner, located: Located): Promise<void> => {
  await topmostMissing(planner, located.real);
  demandRoom(planner, located);
};

/** The first directory on the way to a path that would have to be made. */
const topmostMissing = async (planner: Planner, real: string): Promise<string | undefined> => {
  let missing: string | undefined;
  for (let here = above(real); (await lookForDirectory(planner, here)) === undefined; here = above(here.real)) {
    if (dirname(here.real) === here.real) throw noDir(here.shown);
    missing = here.real;
  }
  return missing;
};

/** A directory is named where it would really be: what leads there may be a link. */
const above = (real: string): Located => ({ shown: dirname(real), real: dirname(real), touched: dirname(real) });

/** A directory that is there, or nothing where one may be made. */
const lookForDirectory = async ({ policy, look }: Planner, { shown, real }: Located): Promise<Seen | undefined> => {
  policy?.rootFor(real, 'read', shown);
  const there = await look(real);
  if (there?.kind === 'dir') return there;
  if (there !== undefined) throw notDirectory(shown);
  policy?.rootFor(real, 'write', shown);
  return undefined;
};
