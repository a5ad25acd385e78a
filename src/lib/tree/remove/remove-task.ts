import { type PartAnswer, type SharedParts, takeParts } from '../../fs/walk-shared.ts';
import type { Done } from '../../workers/task.ts';
import { type Removed, type RemoveOrder, removePart } from './remove-part.ts';

/** Takes part in removing a tree; a task for other threads. */
export const removeTask = ({
  shared,
  order,
}: {
  readonly shared: SharedParts;
  readonly order: RemoveOrder;
}): Done<readonly PartAnswer<Removed>[]> => ({ value: takeParts(shared, removePart(order)) });
