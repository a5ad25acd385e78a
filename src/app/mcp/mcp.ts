import { stat } from 'node:fs/promises';
import { describeAction } from '../../core/describe.ts';
import { ArgumentException, DirNotExistsException } from '../../core/errors.ts';
import type { Registry } from '../../core/registry.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import { DEFAULT_LIMITS } from '../../servers/limits.ts';
import type { Catalogue, McpParts, Toolset } from '../../servers/mcp/parts.ts';
import { createTurnstile } from '../../servers/turnstile.ts';
import { newRunId } from '../instance/ids.ts';
import type { Instance } from '../instance/instance.ts';
import { loadListing } from '../listing.ts';
import { VERSION } from '../version.generated.ts';
import type { McpOptions } from './host-options.ts';

/** The actions that are tools unless a host wants fewer; with the general ones a dozen, which models still tell apart. */
const USUAL_TOOLS = ['FA_read_file', 'FA_stat', 'FA_list_dir', 'FA_fast_find', 'FA_grep', 'FA_create_file', 'FA_copy_file', 'FA_move_file'];

/** What an MCP server needs of an instance. */
export interface McpHouse extends Pick<Instance, 'gateway' | 'registry' | 'progress' | 'masker' | 'log'> {
  /** How the server introduces itself; left out: as factotum. */
  readonly identity?: McpParts['identity'];
  /** Left out: limits and a count of the server's own. */
  readonly limits?: McpParts['limits'] | undefined;
  readonly turnstile?: McpParts['turnstile'];
}

export const OWN_IDENTITY: McpParts['identity'] = { name: 'factotum', version: VERSION };

/** Puts an MCP server together out of an instance. */
export const mcpParts = async (house: McpHouse, options: McpOptions): Promise<McpParts> => {
  const { gateway, registry, progress, masker, log, identity = OWN_IDENTITY, limits = DEFAULT_LIMITS } = house;
  for (const root of [...options.roots, ...(options.readOnlyRoots ?? [])]) await demandDirectory(root);
  return {
    gateway,
    registry,
    progress,
    masker,
    log,
    newRunId: () => newRunId(Date.now()),
    identity,
    limits,
    turnstile: house.turnstile ?? createTurnstile({ inFlight: limits.inFlight, requestsPerMinute: limits.requestsPerMinute }),
    catalogue: await catalogueOf(registry),
    toolset: toolsetOf(options, registry),
    rights: options,
  };
};

/** A root that is missing would refuse every call one by one. */
const demandDirectory = async (root: string) => {
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new DirNotExistsException(`The root ${root} is no directory that can be reached; name one that exists.`, {
      context: { path: root },
    });
  }
};

const toolsetOf = ({ toolsets = [], all = false, compact = false }: McpOptions, registry: Registry): Toolset => {
  if (compact && (all || toolsets.length > 0)) {
    throw new ArgumentException('compact leaves the general tools only; leave it out to add others.', { context: { argument: 'compact' } });
  }
  const groups = new Set(registry.names().flatMap((name) => registry.about(name)?.group ?? [])).add(REGISTERED);
  const unknown = toolsets.find((group) => !groups.has(group));
  if (unknown !== undefined) {
    const known = [...groups].sort();
    throw new ArgumentException(
      `There is no tool set called ${JSON.stringify(unknown)}${didYouMean(unknown, known) || `; there are ${known.join(', ')}.`}`,
      { context: { argument: 'toolset', given: unknown } },
    );
  }
  return { actions: compact ? [] : USUAL_TOOLS, groups: toolsets, all };
};

/** The group of what programs register by themselves; it may still be empty when the server starts. */
const REGISTERED = 'registered';

/** What is written down of the built-in actions; what was registered since is described from its definition. */
const catalogueOf = async (registry: Registry): Promise<Catalogue> => {
  const { $defs: defs, actions } = await loadListing();
  const listed = new Map(actions.map((action) => [action.name, action]));
  return {
    defs,
    describe(name) {
      const ready = registry.resolve(name);
      return ready === undefined ? listed.get(registry.about(name)?.name ?? '') : describeAction(ready);
    },
  };
};
