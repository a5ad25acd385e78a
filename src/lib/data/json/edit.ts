import { childIndent, insertChild, removeChild } from '../brackets.ts';
import { indentAt } from '../lines.ts';
import { type Splice, spliceText } from '../splice.ts';
import type { TreeEdit } from '../tree-edit.ts';
import { bracketed, formatValue, isSpread, layoutOf } from './layout.ts';
import type { JsonNode } from './node.ts';
import { JSON_TRIVIA } from './trivia.ts';

/** Carries out an edit of a checked JSON text. Everything outside it stays: order, layout, comments, every digit. */
export const editJson = (text: string, edit: TreeEdit<JsonNode>): string => spliceText(text, splicesFor(text, edit));

const splicesFor = (text: string, edit: TreeEdit<JsonNode>): Splice[] => {
  const { root, container } = edit;
  const layout = layoutOf(text, root);
  const isWide = isSpread(text, edit.trail);
  switch (edit.kind) {
    case 'replace': {
      const child = container.children().at(indexOf(container, edit.key));
      if (child === undefined) return [];
      const { start, end } = child.node;
      return [
        {
          at: start,
          remove: end - start,
          insert: formatValue(edit.value, layout, isWide ? { indent: indentAt(text, child.start) } : undefined),
        },
      ];
    }
    case 'insert':
    case 'append': {
      const place = bracketed(container);
      const value = formatValue(edit.value, layout, isWide ? { indent: childIndent(text, place, layout.unit) } : undefined);
      const child =
        edit.kind === 'append' ? value : `${JSON.stringify(edit.key)}:${isWide ? layout.gaps.colon || ' ' : layout.gaps.colon}${value}`;
      return insertChild(text, place, JSON_TRIVIA, { text: child, gap: layout.gaps.comma, spread: isWide ? layout : undefined });
    }
    case 'remove':
      return removeChild(text, bracketed(container), JSON_TRIVIA, indexOf(container, edit.key));
  }
};

const indexOf = (container: JsonNode, key: string | number): number => (typeof key === 'number' ? key : container.children().find(key));
