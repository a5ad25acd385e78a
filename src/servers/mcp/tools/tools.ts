import type { Caller } from '../../../access/caller.ts';
import type { McpParts } from '../parts.ts';
import { actionTool } from './action-tool.ts';
import { describeTool, findTool } from './catalogue-tools.ts';
import { planTool, runTool } from './list-tools.ts';
import type { Tool } from './tool.ts';

/** What a host sees and may call. */
export interface Tools {
  /** The general tools, then those of single actions in the order of the tool set. */
  list(caller: Caller): Tool[];
  find(name: string, caller: Caller): Tool | undefined;
}

/** The tools of a server. Those of actions follow the registry; nothing is offered that the caller may not run. */
export const createTools = (parts: McpParts): Tools => {
  const { registry, catalogue, toolset } = parts;
  const general = [runTool, planTool, findTool, describeTool].map((make) => make(parts));

  const isOffered = (name: string, { acl }: Caller): boolean => {
    const about = registry.about(name);
    if (about === undefined || about.name !== name || acl?.permits(name, about) === false) return false;
    return toolset.all || toolset.actions.includes(name) || toolset.groups.includes(about.group);
  };
  const toolOf = (name: string): Tool | undefined => {
    const [about, description] = [registry.about(name), catalogue.describe(name)];
    return about && description && actionTool(parts, about, description);
  };

  return {
    list(caller) {
      const names = new Set([...toolset.actions, ...registry.names()]);
      return [...general, ...[...names].filter((name) => isOffered(name, caller)).flatMap((name) => toolOf(name) ?? [])];
    },
    find: (name, caller) => general.find((tool) => tool.name === name) ?? (isOffered(name, caller) ? toolOf(name) : undefined),
  };
};
