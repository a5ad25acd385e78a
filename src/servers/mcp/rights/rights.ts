import { ActionACL } from '../../../access/acl.ts';
import type { Caller } from '../../../access/caller.ts';
import { type Guarded, guardFiles } from '../../../access/guard-files.ts';
import { createPolicy, type RequireApproval } from '../../../access/policy.ts';
import { EFFECT_CLASSES } from '../../../core/effects.ts';

/** What an MCP host may do. It is never the owner: what is not granted here is refused. */
export interface McpRights {
  /** Directories whose files may be read and, unless `readOnly`, changed. */
  readonly roots: readonly string[];
  readonly readOnlyRoots?: readonly string[] | undefined;
  /** Nothing may be changed, run or reached over the network, at any depth. */
  readonly readOnly?: boolean | undefined;
  readonly executes?: boolean | undefined;
  readonly network?: boolean | undefined;
  readonly hosts?: readonly string[] | undefined;
  /** Bytes that one call may write; 0 or left out is no limit. */
  readonly maxBytes?: number | undefined;
  /** Files that one call may delete; 0 or left out is no limit. */
  readonly maxDeletes?: number | undefined;
  /** Requests under way at once. */
  readonly maxInFlight?: number | undefined;
  /** Bytes of requests and answers in memory at once. */
  readonly maxHeldBytes?: number | undefined;
  /** Which lists run only when somebody has approved their plan. */
  readonly requireApproval?: RequireApproval | undefined;
  /** Names of locks, breakers and buckets that are shared with everybody. */
  readonly sharedNames?: readonly string[] | undefined;
  /** Environment names that references may read. */
  readonly env?: readonly string[] | undefined;
  /** Patterns over actions, as in every access list. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Effects that actions may have; left out: all that are granted. */
  readonly effects?: readonly string[] | undefined;
  /** What of the house may lie inside the roots. */
  readonly guarded?: Guarded | undefined;
}

/** A caller with these rights. */
export const callerWith = (rights: McpRights): Caller => {
  const { roots, readOnlyRoots = [], readOnly = false, hosts, env, guarded } = rights;
  return {
    name: 'mcp',
    remote: true, // programs get a bare environment
    acl: new ActionACL({ allow: rights.allow ?? null, deny: [...(rights.deny ?? []), ...deniedEffects(rights)], isLimited: true }),
    policy: guardFiles(
      createPolicy({
        ...(readOnly ? { readOnly: [...roots, ...readOnlyRoots] } : { readWrite: roots, readOnly: readOnlyRoots }),
        executes: mayExecute(rights),
        network: mayReach(rights),
        ...(hosts !== undefined && { hosts }),
        ...(env !== undefined && { env }),
        ...(rights.maxBytes !== undefined && { maxBytes: rights.maxBytes }),
        ...(rights.maxDeletes !== undefined && { maxDeletes: rights.maxDeletes }),
        ...(rights.maxInFlight !== undefined && { maxInFlight: rights.maxInFlight }),
        ...(rights.maxHeldBytes !== undefined && { maxHeldBytes: rights.maxHeldBytes }),
        ...(rights.requireApproval !== undefined && { requireApproval: rights.requireApproval }),
        ...(rights.sharedNames !== undefined && { sharedNames: rights.sharedNames }),
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
