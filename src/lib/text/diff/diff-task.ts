import type { Task } from '../../workers/task.ts';
import { applyPatch } from './apply-patch.ts';
import { type UnifiedOptions, unifiedDiff } from './unified.ts';

/** Two texts to compare, or a text and a patch for it. */
export type DiffOrder =
  | { readonly kind: 'compare'; readonly left: string; readonly right: string; readonly options: UnifiedOptions }
  | { readonly kind: 'apply'; readonly text: string; readonly patch: string };

/** The difference, or the text after the patch, on whatever thread runs it. */
export const diffTexts: Task<DiffOrder, string> = async (order) => ({
  value: order.kind === 'compare' ? await unifiedDiff(order.left, order.right, order.options) : applyPatch(order.text, order.patch),
});
