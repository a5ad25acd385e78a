import { type PartAnswer, type SharedParts, takeParts } from '../../fs/walk-shared.ts';
import type { Done } from '../../workers/task.ts';
import { type Copied, type CopyOrder, copyPart } from './copy-part.ts';

/** Takes part in copying a tree; a task for other threads. */
export const copyTask = ({
  shared,
  order,
}: {
  readonly shared: SharedParts;
  readonly order: CopyOrder;
}): Done<readonly PartAnswer<Copied>[]> => ({ value: takeParts(shared, copyPart(order)) });
