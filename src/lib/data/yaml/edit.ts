import type { Node } from 'yaml';
import { type Bracketed, insertChild, isOnOwnLine, removeChild, type Trivia, triviaWith } from '../brackets.ts';
import { lineBreakOf, startOfLine } from '../lines.ts';
import { type Splice, spliceText } from '../splice.ts';
import { appendLines, type BlockContext, blockIndent, insertLines, removeSlot, replaceValue, type ValueForm } from './edit-block.ts';
import type { LoadedYaml, Yaml } from './load.ts';
import type { YamlEdit } from './node.ts';
import { type BlockStyle, type BlockValue, blockItem, blockMember, blockValue, flowMember, flowValue } from './render.ts';
import { type Slot, slotsOf } from './slots.ts';

/** Carries out an edit on the text. The result still has to be read again: YAML has corners that no splice foresees. */
export const editYaml = (yaml: Yaml, { text, doc }: LoadedYaml, edit: YamlEdit, { blockTexts }: Pick<BlockStyle, 'blockTexts'>): string => {
  const { node } = edit.container;
  const splices = isFlow(yaml, node)
    ? flowSplices(yaml, text, node, edit)
    : blockSplices(yaml, text, { ...indentationOf(yaml, text, doc.contents), blockTexts }, edit);
  return spliceText(text, splices);
};

const isFlow = (yaml: Yaml, node: Node | null): node is Node => yaml.isCollection(node) && node.flow === true;

const slotAt = (slots: readonly Slot[], key: string | number): number =>
  typeof key === 'number' ? key : slots.findIndex((slot) => slot.key === key);

const blockSplices = (yaml: Yaml, text: string, style: BlockStyle, edit: YamlEdit): Splice[] => {
  const context: BlockContext = { text, eol: lineBreakOf(text) };
  const slots = slotsOf(yaml, edit.container.node);
  const indent = blockIndent(text, slots[0]);
  const inList = yaml.isSeq(edit.container.node);
  const last = slots.at(-1);
  switch (edit.kind) {
    case 'insert':
    case 'append': {
      const lines = edit.kind === 'append' ? blockItem(yaml, edit.value, style) : blockMember(yaml, edit.key, edit.value, style);
      return last === undefined ? appendLines(context, lines) : insertLines(context, last, indented(lines, indent));
    }
    case 'replace': {
      const slot = slots[slotAt(slots, edit.key)];
      if (slot === undefined) return [];
      const { head, body } = blockValue(yaml, edit.value, style, { inList, replaced: slot.node });
      return replaceValue(context, slot, formOf(yaml, slot.node), { head, body: indented(body, indent) });
    }
    case 'remove': {
      const slot = slots[slotAt(slots, edit.key)];
      if (slot === undefined) return [];
      return slots.length > 1 ? removeSlot(context, slot) : emptyContainer(yaml, context, edit, slot);
    }
  }
};

/** A block cannot be empty: what held the only slot becomes `{}` or `[]`, under the anchor it had. */
const emptyContainer = (yaml: Yaml, context: BlockContext, { container, trail }: YamlEdit, only: Slot): Splice[] => {
  const brackets = yaml.isSeq(container.node) ? '[]' : '{}';
  const anchor = yaml.isCollection(container.node) ? container.node.anchor : undefined;
  const empty: BlockValue = { head: anchor === undefined ? brackets : `&${anchor} ${brackets}`, body: [] };
  const outer = trail.at(-2);
  const holder = outer && slotsOf(yaml, outer.node).find(({ node }) => node === container.node);
  if (holder !== undefined) return replaceValue(context, holder, 'block collection', empty);
  const hasBreak = context.text[only.end - 1] === '\n';
  return [{ at: only.start, remove: only.end - only.start, insert: hasBreak ? `${brackets}${context.eol}` : brackets }];
};

const flowSplices = (yaml: Yaml, text: string, node: Node, edit: YamlEdit): Splice[] => {
  const slots = slotsOf(yaml, node);
  const place: Bracketed = { start: node.range?.[0] ?? 0, end: node.range?.[1] ?? 0, children: slots };
  switch (edit.kind) {
    case 'insert':
    case 'append': {
      const child = edit.kind === 'append' ? flowValue(yaml, edit.value) : flowMember(yaml, edit.key, edit.value);
      const spread = isOnOwnLine(text, place, slots.length - 1) ? { eol: lineBreakOf(text), unit: '  ' } : undefined;
      return insertChild(text, place, YAML_TRIVIA, { text: child, gap: ' ', spread });
    }
    case 'replace': {
      const slot = slots[slotAt(slots, edit.key)];
      if (slot === undefined) return [];
      const { valueStart, end, indicatorEnd, hasIndicator } = slot;
      const value = flowValue(yaml, edit.value, slot.node);
      const isEmpty = valueStart === indicatorEnd && yaml.isMap(node);
      return [{ at: valueStart, remove: end - valueStart, insert: isEmpty ? `${hasIndicator ? '' : ':'} ${value}` : value }];
    }
    case 'remove':
      return removeChild(text, place, YAML_TRIVIA, slotAt(slots, edit.key));
  }
};

/** A comment begins behind white space and ends with its line. */
const YAML_TRIVIA: Trivia = triviaWith((text, at) => {
  if (text[at] !== '#' || !/\s/.test(text[at - 1] ?? '\n')) return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
});

const formOf = (yaml: Yaml, node: Node | null): ValueForm => {
  if (yaml.isCollection(node)) return node.flow === true ? 'inline' : 'block collection';
  return yaml.isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') ? 'block scalar' : 'inline';
};

const indented = (lines: readonly string[], indent: string): string[] => lines.map((line) => (line === '' ? '' : `${indent}${line}`));

/** How the document indents its blocks: as the first nested block does, else by two. */
const indentationOf = (yaml: Yaml, text: string, contents: Node | null): Omit<BlockStyle, 'blockTexts'> => {
  let indent: number | undefined;
  let indentSeq: boolean | undefined;
  const column = (offset: number) => offset - startOfLine(text, offset);
  const look = (container: Node | null) => {
    for (const slot of slotsOf(yaml, container)) {
      const [inner] = yaml.isCollection(slot.node) && slot.node.flow !== true ? slotsOf(yaml, slot.node) : [];
      if (inner === undefined || slot.key === undefined) continue;
      const deeper = column(inner.start) - column(slot.start);
      if (yaml.isSeq(slot.node)) indentSeq ??= deeper > 0;
      else if (deeper > 0) indent ??= deeper;
    }
  };
  look(contents);
  yaml.visit(contents, {
    Collection(_, node) {
      look(node);
      return indent !== undefined && indentSeq !== undefined ? yaml.visit.BREAK : undefined;
    },
  });
  return { indent: indent ?? 2, indentSeq: indentSeq ?? true };
};
