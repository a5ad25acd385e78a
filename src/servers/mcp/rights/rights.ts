import { ActionACL } from '../../../access/acl.ts';
import type { Caller } from '../../../access/caller.ts';
import { type Guarded, guardFiles } from '../../../access/guard-files.ts';
import { createPolicy } from '../../../access/policy.ts';
import { type GivenLimits, limitsIn } from '../../../core/caller-limits.ts';
import { EFFECT_CLASSES } from '../../../core/effects.ts';

/** What an MCP host may do. It is never the owner: what is not granted here is refused. */
export interface McpRights extends GivenLimits {
  /** Directories whose files may be read and, unless `readOnly`, changed. */
  readonly roots: readonly string[];
  readonly readOnlyRoots?: readonly string[] | undefined;
  /** Nothing may be changed, run or reached over the network, at any depth. */
  readonly readOnly?: boolean | undefined;
  /** Patterns over actions, as in every access list. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Effects that actions may have; left out: all that are granted. */
  readonly effects?: readonly string[] | undefined;
  /** What of the house may lie inside the roots. @internal */
  readonly guarded?: Guarded | undefined;
}

/** A caller with these rights. */
export const callerWith = (rights: McpRights): Caller => {
  const { roots, readOnlyRoots = [], readOnly = false, guarded } = rights;
  return {
    name: 'mcp',
    remote: true, // programs get a bare environment
    acl: new ActionACL({ allow: rights.allow ?? null, deny: [...(rights.deny ?? []), ...deniedEffects(rights)], isLimited: true }),
    policy: guardFiles(
      createPolicy({
        ...(readOnly ? { readOnly: [...roots, ...readOnlyRoots] } : { readWrite: roots, readOnly: readOnlyRoots }),
        ...limitsIn(rights),
        executes: mayExecute(rights),
        network: mayReach(rights),
      }),
      guarded,
    ),
  };
};

/** Whether programs may be run. */
export const mayExecute = ({ executes = false, readOnly = false }: McpRights): boolean => executes && !readOnly;

/** Whether other machines may be reached. */
export const mayReach = ({ network, hosts, readOnly = false }: McpRights): boolean => (network ?? hosts !== undefined) && !readOnly;

/** Named in the access list too, so that what the policy would refuse is neither offered nor found. */
const deniedEffects = (rights: McpRights): string[] => [
  ...EFFECT_CLASSES.filter((effect) => effect !== 'steps' && rights.effects?.includes(effect) === false).map(
    (effect) => `effect:${effect}`,
  ),
  ...(rights.readOnly === true ? ['effect:writes', 'effect:removes'] : []),
  ...(mayExecute(rights) ? [] : ['effect:executes']),
  ...(mayReach(rights) ? [] : ['effect:network']),
];
