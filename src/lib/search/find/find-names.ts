import { type PartAnswer, type SharedParts, takeParts } from '../../fs/walk-shared.ts';
import type { Done } from '../../workers/task.ts';
import { type FindQuery, findPart } from './find-part.ts';
import { type FoundText, packPaths } from './found-text.ts';

/** A share in a search by name. */
export interface FindOrder {
  readonly shared: SharedParts;
  readonly query: FindQuery;
  /** The root as the caller calls it. */
  readonly shown: string;
}

/** Takes part in a search by name; a task for other threads. */
export const findNames = ({ shared, query, shown }: FindOrder): Done<readonly PartAnswer<FoundText>[]> => {
  const value = takeParts(shared, findPart(query)).map(({ index, result }) => ({ index, result: packPaths(result, shown) }));
  return { value, transfer: value.flatMap(({ result }) => result.pieces.map(({ buffer }) => buffer)) };
};
