import type { TreeNode } from '../tree-edit.ts';
import { skipTrivia } from './trivia.ts';

/** A value of a checked JSON text: where it stands, and its children once somebody asks. */
export interface JsonNode extends TreeNode<JsonNode> {
  readonly start: number;
  readonly end: number;
  children(): readonly JsonChild[];
}

/** A member of an object or an item of an array. */
export interface JsonChild {
  readonly key: string | undefined;
  /** Where the member begins: at its key, or at the item itself. */
  readonly start: number;
  readonly node: JsonNode;
}

const SCALAR_END = /[\s,\]}/]|$/g;

/** The value at `from` or behind the white space there, of a text that `checkDocument` let pass. Only containers that are asked are looked into. */
export const jsonNode = (text: string, from: number): JsonNode => {
  const start = skipTrivia(text, from);
  const first = text[start];
  const kind = first === '{' ? 'map' : first === '[' ? 'list' : first === 'n' ? 'null' : 'scalar';
  let known: readonly JsonChild[] | undefined;
  const children = () => (known ??= kind === 'map' || kind === 'list' ? listChildren(text, start) : []);
  return {
    kind,
    start,
    end: endOfValue(text, start),
    children,
    get size() {
      return children().length;
    },
    member: (key) => (kind === 'map' ? children().find((child) => child.key === key)?.node : undefined),
    item: (index) => (kind === 'list' ? children()[index]?.node : undefined),
  };
};

const listChildren = (text: string, container: number): JsonChild[] => {
  const children: JsonChild[] = [];
  const isMap = text[container] === '{';
  for (let at = skipTrivia(text, container + 1); text[at] !== '}' && text[at] !== ']'; ) {
    const keyEnd = isMap ? endOfString(text, at) : at;
    const node = jsonNode(text, isMap ? skipTrivia(text, keyEnd) + 1 : at);
    children.push({ key: isMap ? String(JSON.parse(text.slice(at, keyEnd))) : undefined, start: at, node });
    at = skipTrivia(text, node.end);
    if (text[at] === ',') at = skipTrivia(text, at + 1);
  }
  return children;
};

/** The offset behind the value that begins at `start`. */
export const endOfValue = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; ; at = skipTrivia(text, at)) {
    const first = text[at];
    if (first === '"') at = endOfString(text, at);
    else if (first === '{' || first === '[') {
      depth += 1;
      at += 1;
    } else if (first === '}' || first === ']') {
      depth -= 1;
      at += 1;
    } else if (first === ',' || first === ':') at += 1;
    else at = endOfScalar(text, at);
    if (depth === 0 || at >= text.length) return at;
  }
};

/** The offset behind the string that begins at `start`. */
export const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = quote;
    while (text[slashes - 1] === '\\') slashes -= 1;
    if ((quote - slashes) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
};

const endOfScalar = (text: string, start: number): number => {
  SCALAR_END.lastIndex = start;
  return SCALAR_END.exec(text)?.index ?? text.length;
};
