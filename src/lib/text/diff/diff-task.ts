import { demandMemory } from '../../workers/heap-watch.ts';
import type { Task } from '../../workers/task.ts';
import { applyPatch } from './apply-patch.ts';
import { type UnifiedOptions, unifiedDiff } from './unified.ts';

/** Two texts to compare, or a text and a patch for it. */
export type DiffWish =
  | { readonly kind: 'compare'; readonly left: string; readonly right: string; readonly options: UnifiedOptions }
  | { readonly kind: 'apply'; readonly text: string; readonly patch: string };

/** What is wanted, and what it may take in memory. */
export interface DiffOrder {
  readonly wish: DiffWish;
  /** The file, for messages. */
  readonly name: string;
  readonly maxBytes: number;
}

/** What a line takes in memory, about and at most, with all that is made of it. */
const LINE_BYTES = 240;
const LINE_FEED = 0x0a;

/** The difference, or the text after the patch, on whatever thread runs it. */
export const diffTexts: Task<DiffOrder, string> = async ({ wish, name, maxBytes }) => {
  const texts = wish.kind === 'compare' ? [wish.left, wish.right] : [wish.text, wish.patch];
  demandMemory(
    name,
    texts.reduce((sum, text) => sum + bytesOf(text), 0),
    maxBytes,
  );
  return {
    value: wish.kind === 'compare' ? await unifiedDiff(wish.left, wish.right, wish.options) : applyPatch(wish.text, wish.patch),
  };
};

const bytesOf = (text: string): number => {
  let lines = 1;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === LINE_FEED) lines += 1;
  return lines * LINE_BYTES + 2 * text.length;
};
