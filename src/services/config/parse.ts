import type { z } from 'zod';
import type { Config } from './config.generated.ts';
import { configSchema } from './schema/config.ts';
import type { ConfigTree } from './tree.ts';

/** A fault as the schema library tells it. */
export type Issue = z.core.$ZodIssue;

const DOORS = ['http', 'tcp', 'metrics', 'dashboard'] as const;

/** Checks a tree and fills in what it leaves out; without a configuration the issues say why. */
export const parseConfig = (tree: ConfigTree): { readonly config?: Config; readonly issues: readonly Issue[] } => {
  const { data, error } = configSchema.safeParse(tree);
  if (data === undefined) return { issues: error.issues };
  return { config: { ...data, ...Object.fromEntries(DOORS.map((door) => [door, { ...ofAllDoors(data), ...data[door] }])) }, issues: [] };
};

/** What a door leaves out is said for all of them. */
const ofAllDoors = ({ server: { shared_secret, allow_non_loopback } }: Config) => ({
  allow_non_loopback,
  ...(shared_secret !== undefined && { shared_secret }),
});
