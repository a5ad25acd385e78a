import type { EffectClass } from './effects.ts';
import type { Example } from './example.ts';
import type { JsonSchema } from './shapes.ts';

/** Everything that is said of an action, as plain JSON. */
export interface Description {
  readonly [key: string]: unknown;
  readonly name: string;
  readonly family: string;
  readonly group: string;
  readonly aliases: readonly string[];
  readonly deprecated?: { readonly since: string; readonly use: string };
  readonly summary: string;
  readonly effects: readonly EffectClass[];
  readonly idempotent: boolean;
  readonly arguments: JsonSchema;
  /** Names in positional order. */
  readonly order: readonly string[];
  readonly returns: JsonSchema;
  /** When the value answers a question with no. */
  readonly no?: string;
  readonly examples: readonly Example[];
}
