import type { Node } from 'yaml';
import type { Yaml } from './load.ts';

/** How blocks of a document look. */
export interface BlockStyle {
  readonly indent: number;
  /** Whether lists below a key stand further in than the key. */
  readonly indentSeq: boolean;
  /** Whether texts of several lines are written as blocks, or in quotes. */
  readonly blockTexts: boolean;
}

/** A value as block text: what stands on the line of its key or dash, and the lines below, indented from there. */
export interface BlockValue {
  readonly head: string;
  readonly body: readonly string[];
}

/** Any key that never needs quotes: only what stands behind it is used. */
const PLAIN_KEY = 'k';

/** The value of a member or item as block text; a text keeps the quotes of the one it replaces. */
export const blockValue = (
  yaml: Yaml,
  value: unknown,
  style: BlockStyle,
  { inList, replaced }: { readonly inList: boolean; readonly replaced: Node | null },
): BlockValue => {
  const written = inQuotesOf(yaml, value, replaced);
  const [first = '', ...body] = blockLines(yaml, inList ? [written] : { [PLAIN_KEY]: written }, style);
  return { head: first.slice(inList ? 1 : PLAIN_KEY.length + 1).trim(), body };
};

/** A member as lines of block text, from column 0. */
export const blockMember = (yaml: Yaml, key: string, value: unknown, style: BlockStyle): string[] =>
  blockLines(yaml, new Map([[key, value]]), style);

/** An item as lines of block text, from column 0. */
export const blockItem = (yaml: Yaml, value: unknown, style: BlockStyle): string[] => blockLines(yaml, [value], style);

/** A value as flow text on one line; a text keeps the quotes of the one it replaces. */
export const flowValue = (yaml: Yaml, value: unknown, replaced: Node | null = null): string =>
  flowText(yaml, [inQuotesOf(yaml, value, replaced)]).slice(1, -1);

/** A member as flow text on one line. */
export const flowMember = (yaml: Yaml, key: string, value: unknown): string => flowText(yaml, new Map([[key, value]])).slice(1, -1);

/** Texts that YAML 1.1 would take for something else get quotes, for readers of that age. */
const OPTIONS = { version: '1.2', lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false } as const;

const blockLines = (yaml: Yaml, value: unknown, { indent, indentSeq, blockTexts }: BlockStyle): string[] =>
  yaml
    .stringify(value, { ...OPTIONS, indent, indentSeq: indentSeq || indent !== 2, blockQuote: blockTexts })
    .replace(/\n$/, '')
    .split('\n');

const flowText = (yaml: Yaml, value: unknown): string => {
  const doc = new yaml.Document(value, OPTIONS);
  yaml.visit(doc, {
    Collection(_, node) {
      node.flow = true;
    },
  });
  return doc.toString({ ...OPTIONS, flowCollectionPadding: false }).trimEnd();
};

const inQuotesOf = (yaml: Yaml, value: unknown, replaced: Node | null): unknown => {
  if (typeof value !== 'string' || !yaml.isScalar(replaced) || value.includes('\n')) return value;
  const { type } = replaced;
  if (type !== 'QUOTE_DOUBLE' && type !== 'QUOTE_SINGLE') return value;
  const scalar = new yaml.Scalar(value);
  scalar.type = type;
  return scalar;
};
