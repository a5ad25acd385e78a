import type { McpRights } from '../../servers/mcp/rights/rights.ts';

/** What an MCP host is offered and may do. */
export interface McpOptions extends McpRights {
  /** Groups of actions that are tools beside the usual ones: `['search']`. */
  readonly toolsets?: readonly string[] | undefined;
  /** Every permitted action is a tool. */
  readonly all?: boolean | undefined;
  /** Only the general tools: run, plan, find, describe. */
  readonly compact?: boolean | undefined;
}
