import type { Description } from '../../core/description.ts';
import type { ProgressRegistry } from '../../core/progress.ts';
import type { Registry } from '../../core/registry.ts';
import type { JsonSchema } from '../../core/shapes.ts';
import type { Doorway } from '../door.ts';
import type { McpRights } from './rights/rights.ts';

/** What is said of actions, without loading their code. */
export interface Catalogue {
  /** What `#/$defs/…` in the schemas refers to. */
  readonly defs: Readonly<Record<string, JsonSchema>>;
  /** By name or alias; undefined for names nobody knows. */
  describe(name: string): Description | undefined;
}

/** Which actions are offered as tools of their own, of those that the rights permit. */
export interface Toolset {
  readonly actions: readonly string[];
  readonly groups: readonly string[];
  readonly all: boolean;
}

/** What the MCP server stands on. */
export interface McpParts extends Pick<Doorway, 'gateway' | 'masker' | 'log' | 'turnstile' | 'limits'> {
  readonly registry: Registry;
  readonly progress: ProgressRegistry;
  readonly newRunId: () => string;
  readonly catalogue: Catalogue;
  readonly toolset: Toolset;
  readonly rights: McpRights;
  /** How the server introduces itself. */
  readonly identity: { readonly name: string; readonly version: string };
}
