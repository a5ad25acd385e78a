import { type PartAnswer, type SharedParts, takeParts } from '../../fs/walk-shared.ts';
import type { Done } from '../../workers/task.ts';
import { type FindQuery, type FoundPaths, findPart } from './find-part.ts';
import type { PathForm } from './path-text.ts';

/** A share in a search by name. */
export interface FindOrder {
  readonly shared: SharedParts;
  readonly query: FindQuery;
  readonly form: PathForm;
}

/** Takes part in a search by name; a task for other threads. */
export const findNames = ({ shared, query, form }: FindOrder): Done<readonly PartAnswer<FoundPaths>[]> => {
  const value = takeParts(shared, findPart(query, form));
  return { value, transfer: value.flatMap(({ result }) => result.pieces.map(({ buffer }) => buffer)) };
};
