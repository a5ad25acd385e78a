import { parse, resolve } from 'node:path';
import { limitsOfKeys } from '../../core/caller-limits.ts';
import { mayExecute, mayReach } from '../../servers/mcp/rights/rights.ts';
import { guardedOf } from '../callers/guarded.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { McpOptions } from './host-options.ts';

/** What is stronger than the configuration. */
export interface McpFlags {
  readonly root?: readonly string[];
  readonly toolset?: readonly string[];
  readonly all?: boolean;
  readonly compact?: boolean;
  readonly readOnly?: boolean;
}

/** What `[mcp]` says, and `[policy]` where it is silent; programs and the network are granted by `[mcp]` alone. */
export const mcpOptionsOf = (
  loaded: Pick<LoadedConfig, 'config' | 'path' | 'secretFiles'>,
  { cwd, flags = {} }: { readonly cwd: string; readonly flags?: McpFlags },
): McpOptions => {
  const { mcp, policy } = loaded.config;
  const { executes: _, network: _network, hosts: _hosts, ...othersDecided } = policy; // those are granted by [mcp] alone
  const readOnlyRoots = flags.root === undefined ? (mcp.read_only_roots ?? policy.read_only_roots) : undefined;
  const named = flags.root?.map((root) => resolve(cwd, root)) ?? mcp.roots ?? policy.roots;
  const roots = named ?? (readOnlyRoots === undefined && !isWholeSystem(cwd) ? [cwd] : []);
  return {
    roots,
    readOnlyRoots,
    readOnly: flags.readOnly ?? mcp.read_only,
    ...limitsOfKeys(mcp, othersDecided),
    allow: mcp.allow ?? policy.allow,
    deny: mcp.deny ?? policy.deny,
    effects: mcp.effects ?? policy.effects,
    guarded: guardedOf(loaded, { cwd, roots }),
    ...toolsetOf(flags, mcp),
  };
};

/** Services and some hosts start at the top of the file system, which nobody means to hand out without saying so. */
const isWholeSystem = (directory: string): boolean => parse(directory).root === directory;

/** Flags that choose tools stand for themselves; what the configuration chooses does not mix with them. */
const toolsetOf = (
  { toolset, all, compact }: McpFlags,
  mcp: LoadedConfig['config']['mcp'],
): Pick<McpOptions, 'toolsets' | 'all' | 'compact'> =>
  toolset === undefined && all === undefined && compact === undefined
    ? { toolsets: mcp.toolsets, all: mcp.all, compact: mcp.compact }
    : { toolsets: toolset, all, compact };

/** What is granted beyond files, in words. */
export const grantsOf = (options: McpOptions): string[] => [
  ...(mayExecute(options) ? ['run programs'] : []),
  ...(mayReach(options) ? ['reach other machines'] : []),
];
