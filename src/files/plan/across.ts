import { dirname, join } from 'node:path';
import { statAt } from '../entry.ts';
import { demandMovable } from '../refusals.ts';
import type { Located, Planner } from './planner.ts';

/** Takes from the budget what a move to another device would copy, and refuses what cannot be copied there. */
export const spendAcross = async (planner: Planner, { from, to }: { readonly from: Located; readonly to: Located }): Promise<void> => {
  if ((await deviceOf(planner, from.real)) !== (await deviceOf(planner, to.real))) await spend(planner, from, new Set());
};

/** A file with several names is copied once. */
const spend = async (planner: Planner, { shown, real }: Pick<Located, 'shown' | 'real'>, counted: Set<string>): Promise<void> => {
  const seen = await planner.look(real);
  if (seen?.kind === 'other' && seen.node.kind === 'disk') demandMovable(statAt(seen.node.path), shown);
  if (seen?.kind === 'file' && !counted.has(seen.identity)) planner.budget?.spend(seen.size ?? 0);
  if (seen?.kind === 'file') counted.add(seen.identity);
  if (seen?.kind !== 'dir') return;
  for (const { name } of await planner.entries(real)) await spend(planner, { shown: join(shown, name), real: join(real, name) }, counted);
};

/** The device of the nearest directory above that stands where it stands on the disk. */
const deviceOf = async ({ tree, real: disk }: Planner, real: string): Promise<string | undefined> => {
  for (let at = dirname(real); ; at = dirname(at)) {
    const node = tree.find(at);
    const path = node?.kind === 'disk' ? node.path : node?.kind === 'dir' ? node.source : undefined;
    const entry = path === at ? await disk.stat(at) : undefined;
    if (entry !== undefined || at === dirname(at)) return entry?.identity.split(':')[0];
  }
};
