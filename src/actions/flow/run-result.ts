import type { Outcome } from '../../core/result.ts';
import { anything, array, boolean, dictionary, object, type Shape, string } from '../../core/shapes.ts';

/** The commands of a nested list, in the wire form of every result. */
export const outcomes: Shape<readonly Outcome[]> = {
  schema: { type: 'array', items: { $ref: '#/$defs/outcome' } },
  expected: 'the results of a list',
  accepts: Array.isArray,
};

/** What a condition answers. */
export const branchResult = object({ matched: boolean(), results: outcomes });

/** The values of a graph's nodes by id: the value, or what became of the node. */
export const nodeValues = dictionary(anything());

/** Names of actions. */
export const names = array(string());
