import { readFileSync } from 'node:fs';

/** One argument in the reference. */
export interface ReferenceParam {
  readonly name: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly positional: boolean;
}

/** What lists written for the older tool rely on, of one action. */
export interface ReferenceAction {
  readonly name: string;
  readonly group: string;
  /** Effect classes in any order, `none` for none. */
  readonly effects: readonly string[];
  readonly params: readonly ReferenceParam[];
}

/** The catalogue that our actions answer to. */
export const referenceActions: readonly ReferenceAction[] = JSON.parse(readFileSync('test/fixtures/reference/actions.json', 'utf8'));
