import { type PartAnswer, type SharedParts, takeParts } from '../../fs/walk-shared.ts';
import type { Done } from '../../workers/task.ts';
import { type CompareOrder, comparePart } from './compare-part.ts';
import type { Compared } from './compared.ts';

/** Takes part in comparing trees; a task for other threads. */
export const compareTask = ({
  shared,
  order,
}: {
  readonly shared: SharedParts;
  readonly order: CompareOrder;
}): Done<readonly PartAnswer<Compared>[]> => ({ value: takeParts(shared, comparePart(order)) });
