import { DiffException } from '../../../core/errors.ts';
import { type BoundedWork, memoryFor, runBounded } from '../../workers/foreign/run-bounded.ts';
import { type DiffWish, diffTexts } from './diff-task.ts';

/** For whom it is done, and the file that messages name. */
export interface DiffWork {
  readonly signal: AbortSignal;
  readonly isLimited: boolean;
  readonly name: string;
}

/** Up to this length texts are quickly compared; a thread of its own would take longer to start. */
const QUICK_CHARS = 256 * 1024;

/** Compares texts or applies a patch; long ones on a thread that ends with the signal, or when it takes too much memory or time. */
export const useDiff = async (wish: DiffWish, { signal, isLimited, name }: DiffWork): Promise<string> => {
  const chars = wish.kind === 'compare' ? wish.left.length + wish.right.length : wish.text.length + wish.patch.length;
  const order = { wish, name, maxBytes: memoryFor(isLimited) };
  if (chars <= QUICK_CHARS) return (await diffTexts(order)).value;
  const makeError: BoundedWork['makeError'] = (message, context) => new DiffException(message, { context });
  return runBounded('diff_texts', order, { signal, isLimited, name, makeError });
};
