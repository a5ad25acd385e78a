/** An element of a document that a machine wrote. */
export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** What its prefix stands for; the empty text where it has none. */
  readonly namespace: string;
  /** As they are written, not decoded; mostly nothing. */
  readonly attributes: string;
  readonly children: readonly XmlElement[];
  /** All text directly in it. */
  readonly text: string;
}

export interface XmlRules {
  /** Makes the error out of the reason, which is words behind "the answer". */
  readonly fail: (why: string) => Error;
  readonly maxDepth?: number;
  readonly maxElements?: number;
}

interface Open {
  readonly tag: string;
  readonly name: string;
  readonly namespace: string;
  readonly attributes: string;
  readonly spaces: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const NAME = '[A-Za-z_\\u00b7-\\uffff][\\w.\\u00b7-\\uffff-]*';
const TAG = `${NAME}(?::${NAME})?`;
const OPENING = new RegExp(`<(${TAG})((?:\\s+${TAG}\\s*=\\s*(?:"[^<"]*"|'[^<']*'))*)\\s*(/?)>`, 'uy');
const CLOSING = new RegExp(`</(${TAG})\\s*>`, 'uy');
const ATTRIBUTE = new RegExp(`(${TAG})\\s*=\\s*(?:"([^<"]*)"|'([^<']*)')`, 'gu');
/** What is no character of a document, however it is written. */
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const BUILT_IN: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

/**
 * Reads what services answer: elements, text, the five entities and characters by number. A document type is refused, and with it every
 * entity of a document's own; attributes are read for namespaces only, and otherwise given as they stand. The whole text is looked at once.
 */
export const readXml = (source: string, { fail, maxDepth = 32, maxElements = 500_000 }: XmlRules): XmlElement => {
  const text = (source.startsWith('\ufeff') ? source.slice(1) : source).replaceAll(/\r\n?/g, '\n');
  if (NO_CHARACTER.test(text)) throw fail('holds a character that XML has not');
  const open: Open[] = [];
  let root: XmlElement | undefined;
  let count = 0;

  const close = (): void => {
    const { name, namespace, attributes, children, text: content } = open.pop() as Open; // both callers have just looked at it
    const element: XmlElement = { name, namespace, attributes, children, text: content };
    const parent = open.at(-1);
    if (parent === undefined) root = element;
    else parent.children.push(element);
  };

  const begin = (tag: string, attributes: string): void => {
    count += 1;
    if (root !== undefined) throw fail('goes on behind its end');
    if (open.length >= maxDepth) throw fail(`is nested more than ${maxDepth} deep`);
    if (count > maxElements) throw fail(`has more than ${maxElements} elements`);
    const spaces = spacesOf(attributes, open.at(-1)?.spaces ?? BUILT_IN, fail);
    const [prefix, local] = tag.includes(':') ? tag.split(':', 2) : ['', tag];
    const namespace = spaces.get(prefix ?? '');
    if (namespace === undefined && prefix !== '') throw fail(`has the prefix ${prefix} without saying what it stands for`);
    open.push({ tag, name: local ?? tag, namespace: namespace ?? '', attributes, spaces, children: [], text: '' });
  };

  const addText = (raw: string): void => {
    const top = open.at(-1);
    if (top !== undefined) top.text += raw;
    else if (raw.trim() !== '') throw fail('has text outside of its root');
  };

  /** The position behind what begins with `<` at this one. */
  const readMarkup = (at: number): number => {
    if (text.startsWith('<!--', at)) return skipped(text, '-->', at + 4, fail);
    if (text.startsWith('<?', at)) return skipped(text, '?>', at + 2, fail);
    if (text.startsWith('<![CDATA[', at)) {
      const end = skipped(text, ']]>', at + 9, fail);
      addText(text.slice(at + 9, end - 3));
      return end;
    }
    if (text.startsWith('<!', at)) throw fail('declares a document type, which is not read');
    CLOSING.lastIndex = at;
    const closing = CLOSING.exec(text);
    if (closing !== null) {
      if (open.at(-1)?.tag !== closing[1]) throw fail(`closes ${closing[1]}, which is not open`);
      close();
      return CLOSING.lastIndex;
    }
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (opening === null) throw fail('has a tag that is none');
    begin(opening[1] ?? '', opening[2] ?? '');
    if (opening[3] === '/') close();
    return OPENING.lastIndex;
  };

  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    if (end > at) addText(decoded(text.slice(at, end), fail));
    at = next === -1 ? end : readMarkup(next);
  }
  if (root === undefined || open.length > 0) throw fail('ends before its root does');
  return root;
};

/** The first child of this name. */
export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

/** The text of the first child of this name. */
export const textAt = (element: XmlElement | undefined, name: string): string | undefined => childOf(element, name)?.text;

const skipped = (text: string, end: string, from: number, fail: XmlRules['fail']): number => {
  const at = text.indexOf(end, from);
  if (at === -1) throw fail(`lacks ${end}`);
  return at + end.length;
};

const spacesOf = (attributes: string, above: ReadonlyMap<string, string>, fail: XmlRules['fail']): ReadonlyMap<string, string> => {
  if (!attributes.includes('xmlns')) return above;
  const spaces = new Map(above);
  for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
    const value = decoded(double ?? single ?? '', fail);
    if (name === 'xmlns') spaces.set('', value);
    else if (name.startsWith('xmlns:')) spaces.set(name.slice(6), value);
  }
  return spaces;
};

const decoded = (raw: string, fail: XmlRules['fail']): string =>
  raw.includes('&')
    ? raw.replaceAll(/&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([a-z]{1,8}));|&/g, (written, decimal, hexadecimal, name) => {
        const found =
          name === undefined ? characterOf(Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10)) : NAMED.get(name);
        if (found === undefined) throw fail(`has the entity ${written.slice(0, 12)}, which is not known`);
        return found;
      })
    : raw;

const characterOf = (point: number): string | undefined =>
  point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : undefined;
