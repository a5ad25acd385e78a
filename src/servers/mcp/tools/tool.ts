import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Caller } from '../../../access/caller.ts';
import type { ProgressReport } from './follow-progress.ts';

/** Who calls a tool, how the call can be stopped, and where its progress goes if somebody wants to see it. */
export interface ToolCall {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly report: ((progress: ProgressReport) => Promise<void>) | undefined;
}

export type Given = Readonly<Record<string, unknown>>;

/** One tool: what is said of it and what it does. Refusals throw typed errors. */
export interface Tool {
  readonly name: string;
  /** What a host is told. */
  describe(): Omit<ToolDefinition, 'name'>;
  call(given: Given, call: ToolCall): Promise<CallToolResult>;
}
