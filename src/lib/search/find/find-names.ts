import { type PartAnswer, type SharedParts, takeParts } from '../../fs/walk-shared.ts';
import type { Done } from '../../workers/task.ts';
import { type FindQuery, findPart } from './find-part.ts';
import { type FoundText, packNames } from './found-text.ts';

/** A share in a search by name. */
export interface FindOrder {
  readonly shared: SharedParts;
  readonly query: FindQuery;
}

/** Takes part in a search by name; a task for other threads. */
export const findNames = ({ shared, query }: FindOrder): Done<readonly PartAnswer<FoundText>[]> => {
  const value = takeParts(shared, findPart(query)).map(({ index, result }) => ({ index, result: packNames(result) }));
  return { value, transfer: value.map(({ result }) => result.text.buffer) };
};
