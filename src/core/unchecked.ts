declare const UNCHECKED: unique symbol;

/** A list, a wrapped list or a graph that no compiler has seen; whoever runs it judges it. */
export interface Unchecked {
  readonly [UNCHECKED]: true;
}

/**
 * Lets a list from outside through as it is: `executeAction(unchecked(JSON.parse(text)))`. Names and arguments are judged when it runs,
 * and what is wrong there is told by the same errors.
 */
export const unchecked = (list: unknown): Unchecked => list as Unchecked; // the mark exists for the compiler only
