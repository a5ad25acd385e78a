import type { Outcome } from '../../core/result.ts';
import type { Shape } from '../../core/shapes.ts';
import * as shapes from '../../core/shapes.ts';

/** The commands of a nested list, in the wire form of every result. */
export const outcomes: Shape<readonly Outcome[]> = {
  schema: { type: 'array', items: { $ref: '#/$defs/outcome' } },
  expected: 'the results of a list',
  accepts: Array.isArray,
};

/** What a condition answers. */
export const branchResult = shapes.object({ matched: shapes.flag(), results: outcomes });

/** The values of a graph's nodes by id: the value, or what became of the node. */
export const nodeValues = shapes.record(shapes.json());

/** Names of actions. */
export const names = shapes.list(shapes.text());
