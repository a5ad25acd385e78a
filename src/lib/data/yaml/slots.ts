import type { CST, Node } from 'yaml';
import type { Yaml } from './load.ts';
import { keyOf } from './node.ts';

/** One member of a map or item of a list, by its places in the text. */
export interface Slot {
  readonly key: string | undefined;
  /** Its first token: a dash, a question mark, the key, an item. */
  readonly start: number;
  /** Behind the colon or dash, where a value may begin; in a flow list the start. */
  readonly indicatorEnd: number;
  /** Whether a colon is there at all: `{a}` and `? a` have none. */
  readonly hasIndicator: boolean;
  /** The anchor, tag or value itself; the end of the indicator where none is written. */
  readonly valueStart: number;
  /** Behind the value; behind its last line break where it is a block. */
  readonly end: number;
  readonly node: Node | null;
}

/** The slots of a map or list that was read from a text. */
export const slotsOf = (yaml: Yaml, container: Node | null): Slot[] => {
  if (yaml.isMap(container)) {
    return container.items.flatMap((pair) =>
      pair.srcToken === undefined ? [] : [memberSlot(pair.srcToken, keyOf(yaml, pair), asNode(yaml, pair.value), pair.key)],
    );
  }
  if (!yaml.isSeq(container)) return [];
  const { srcToken } = container;
  const items = srcToken !== undefined && 'items' in srcToken ? srcToken.items.filter(isItem) : [];
  return container.items.flatMap((value, index) => {
    const token = items[index];
    return token === undefined ? [] : [itemSlot(token, asNode(yaml, value))];
  });
};

/** A trailing comma or comment makes an item of nothing but a start. */
const isItem = ({ start, key, sep, value }: CST.CollectionItem): boolean =>
  start.some(({ type }) => type === 'seq-item-ind') || key != null || sep !== undefined || value !== undefined;

const asNode = (yaml: Yaml, value: unknown): Node | null => (yaml.isNode(value) ? value : null);

const memberSlot = (token: CST.CollectionItem, key: string | undefined, node: Node | null, keyNode: unknown): Slot => {
  const { start, sep = [] } = token;
  const colon = sep.find(({ type }) => type === 'map-value-ind');
  const keyEnd = endOf(keyNode) ?? token.key?.offset ?? colon?.offset ?? 0;
  const indicatorEnd = colon === undefined ? keyEnd : colon.offset + colon.source.length;
  const properties = sep.slice(colon === undefined ? sep.length : sep.indexOf(colon) + 1);
  return {
    key,
    start: firstToken(start) ?? token.key?.offset ?? colon?.offset ?? keyEnd,
    hasIndicator: colon !== undefined,
    ...valueSpan(properties, token.value, indicatorEnd, node),
  };
};

const itemSlot = (token: CST.CollectionItem, node: Node | null): Slot => {
  const dash = token.start.find(({ type }) => type === 'seq-item-ind');
  const properties = dash === undefined ? token.start : token.start.slice(token.start.indexOf(dash) + 1);
  const start = firstToken(token.start) ?? token.key?.offset ?? token.value?.offset ?? node?.range?.[0] ?? 0;
  // In a flow list, `[a: 1]` has a map as its item and no value of its own.
  const value = token.key == null && token.sep === undefined ? token.value : undefined;
  return { key: undefined, start, hasIndicator: true, ...valueSpan(properties, value, dash === undefined ? start : dash.offset + 1, node) };
};

const firstToken = (tokens: readonly CST.SourceToken[]): number | undefined =>
  tokens.find(({ type }) => type === 'seq-item-ind' || type === 'explicit-key-ind' || isProperty(type))?.offset;

const isProperty = (type: CST.SourceToken['type']): boolean => type === 'anchor' || type === 'tag';

const valueSpan = (properties: readonly CST.SourceToken[], value: CST.Token | undefined, indicatorEnd: number, node: Node | null) => {
  const written = properties.filter(({ type }) => isProperty(type));
  const last = written.at(-1);
  const propertiesEnd = last === undefined ? indicatorEnd : last.offset + last.source.length;
  const nothing = value === undefined && last === undefined && node?.range?.[0] === node?.range?.[1];
  return {
    indicatorEnd,
    valueStart: nothing ? indicatorEnd : (written[0]?.offset ?? value?.offset ?? indicatorEnd),
    end: nothing ? indicatorEnd : Math.max(propertiesEnd, node?.range?.[1] ?? propertiesEnd),
    node,
  };
};

const endOf = (node: unknown): number | undefined =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? Number(node.range[1]) : undefined;
