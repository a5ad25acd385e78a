import { isUtf8 } from 'node:buffer';
import type { CST, Document, Node, YAMLMap, YAMLParseError, YAMLWarning } from 'yaml';
import { locate } from '../../json/locate.ts';
import { type HeapWatch, watchHeap } from '../../workers/heap-watch.ts';
import type { DocumentReading } from '../open-document.ts';
import { type Aliases, bindAliases } from './aliases.ts';
import { walkNodes } from './walk.ts';

/** The library, loaded only where YAML is met. */
export type Yaml = typeof import('yaml');

/** A document that passed every check, with the text it was read from. */
export interface LoadedYaml {
  readonly text: string;
  readonly doc: Document.Parsed;
  readonly aliases: Aliases;
}

/** What messages need, and how much memory may be taken. */
export type YamlNaming = DocumentReading;

/** The most that is read: the library needs many times the size of the text. */
export const MAX_YAML_BYTES = 10 * 1024 * 1024;
const MAX_DEPTH = 1_000;
/** Longer numbers cost more than their length to read; nobody counts with them. */
const MAX_DIGITS = 4_300;
const WHOLE_NUMBER = /^[-+]?(?:0x|0o)?[\da-f]+$/i;
const LEXEMES_BETWEEN_LOOKS = 4_096;
/** The tree that is made of the tokens, and the data made of it, take about twice as much again. */
const SHARE_OF_TOKENS = 0.4;
const CORE_NAMES = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'];
const CORE_TAGS = new Set(CORE_NAMES.map((name) => `tag:yaml.org,2002:${name}`));
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: true,
  stringKeys: true,
  uniqueKeys: false, // the library compares each key with all before it; `checkNodes` asks a set
  strict: true,
  intAsBigInt: true,
  keepSourceTokens: true,
} as const;

/** Reads one document of YAML 1.2 with the core schema; what is unsafe, ambiguous or more than one document is refused. */
export const loadYaml = (yaml: Yaml, bytes: Uint8Array, { name, makeError, maxBytes }: YamlNaming): LoadedYaml => {
  if (bytes.byteLength > MAX_YAML_BYTES) {
    throw makeError(`${name} holds ${bytes.byteLength} bytes; YAML is read whole, ${MAX_YAML_BYTES} at most: split the file.`, {
      path: name,
      limit: MAX_YAML_BYTES,
    });
  }
  if (!isUtf8(bytes)) throw makeError(`${name} is not UTF-8; save it as UTF-8.`, { path: name });
  const text = new TextDecoder().decode(bytes);
  const refuse: Refuse = (offset, words) => {
    const { line, column } = locate(text, offset);
    return makeError(`${name}:${line}:${column}: ${words}.`, { path: name, line, column });
  };
  const control = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f]/);
  if (control >= 0) throw refuse(control, 'a control character stands here; remove it or write it as an escape in double quotes');

  const [doc, second] = composeDocuments(yaml, text, refuse, maxBytes === undefined ? undefined : watchHeap(name, maxBytes));
  if (doc === undefined) throw makeError(`${name} holds no YAML document; write one.`, { path: name });
  if (second !== undefined) throw refuse(second.range[0], 'a second document begins here; keep one document a file');
  const fault = doc.errors[0] ?? doc.warnings[0];
  if (fault !== undefined) throw refuse(fault.pos[0], wordsFor(fault));
  // A file of nothing, or of comments; what has a mark, a tag or an anchor says null.
  if (isVoid(doc)) Object.assign(doc, { contents: null });
  const aliases = bindAliases(yaml, doc.contents);
  checkNodes(yaml, doc, aliases, refuse);
  return { text, doc, aliases };
};

const isVoid = ({ contents, directives }: Document.Parsed): boolean =>
  directives.docStart !== true &&
  contents !== null &&
  'value' in contents &&
  contents.value === null &&
  contents.range[0] === contents.range[1] &&
  contents.tag === undefined &&
  contents.anchor === undefined;

/** What the library found, in words that name what stands in the file and not an option of the library. */
const wordsFor = ({ code, message }: YAMLParseError | YAMLWarning): string => {
  if (code === 'NON_STRING_KEY') return 'this key is no text; write a text and no map, list, alias or other type in its place';
  const [, directive] = /^Unknown directive (\S+)/.exec(message) ?? [];
  if (directive !== undefined) return `the directive ${directive} is not supported; remove it`;
  const [, version] = /^Unsupported YAML version (\S+)/.exec(message) ?? [];
  if (version !== undefined) return `version ${version} of YAML is not supported; write the file as YAML 1.2`;
  const [, tag] = /^Unresolved tag: (\S+)/.exec(message) ?? [];
  return tag === undefined ? `${message}; correct the YAML there` : unsupportedTag(tag);
};

const unsupportedTag = (tag: string): string => `the tag ${tag} is not supported, only ${CORE_NAMES.join(', ')} are; remove it`;

type Refuse = (offset: number, words: string) => Error;

/** The steps of the library's own parser, watched: what nests too deep is refused before anything recursive sees it. */
const composeDocuments = (yaml: Yaml, text: string, refuse: Refuse, watch: HeapWatch | undefined): Document.Parsed[] => {
  const parser = new yaml.Parser();
  const tokens = [];
  let lexemes = 0;
  for (const lexeme of new yaml.Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes % LEXEMES_BETWEEN_LOOKS === 0) watch?.(SHARE_OF_TOKENS);
    if (lexeme.length > MAX_DIGITS && WHOLE_NUMBER.test(lexeme))
      throw refuse(parser.offset, `a whole number of more than ${MAX_DIGITS} digits stands here; put quotes around it`);
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_DEPTH)
      throw refuse(parser.offset, `maps and lists are nested more than ${MAX_DEPTH} levels deep; make the document flatter`);
  }
  for (const token of parser.end()) tokens.push(token);
  demandDirectivesOnce(tokens, refuse);
  return [...new yaml.Composer(OPTIONS).compose(tokens, true, text.length)];
};

/** Each document may name its version once, and each handle of a tag. */
const demandDirectivesOnce = (tokens: readonly CST.Token[], refuse: Refuse): void => {
  let seen = new Set<string>();
  for (const token of tokens) {
    if (token.type === 'document') seen = new Set();
    if (token.type !== 'directive') continue;
    const [name = '', handle = ''] = token.source.split(/\s+/);
    const key = name === '%TAG' ? `${name} ${handle}` : name;
    if (seen.has(key)) throw refuse(token.offset, `a second directive ${key} stands here; keep one of them`);
    seen.add(key);
  }
};

/** Refuses what the library lets through and plain data cannot hold. */
const checkNodes = (yaml: Yaml, doc: Document.Parsed, aliases: Aliases, refuse: Refuse): void => {
  const open = new Set<Node>();
  walkNodes(yaml, doc.contents, {
    enter(node) {
      const at = node.range?.[0] ?? 0;
      if (yaml.isAlias(node)) {
        const target = aliases.get(node);
        if (target !== undefined && open.has(target))
          throw refuse(at, `the alias *${node.source} stands inside the value it names; write the value out`);
        return;
      }
      if (node.tag !== undefined && !CORE_TAGS.has(node.tag)) {
        throw refuse(at, unsupportedTag(node.tag));
      }
      if (yaml.isCollection(node)) open.add(node);
      if (yaml.isMap(node)) checkKeys(yaml, node, refuse);
      if (!yaml.isScalar(node)) return;
      const { value } = node;
      if (typeof value === 'number' && !Number.isFinite(value))
        throw refuse(at, 'infinity and not-a-number have no JSON form; put quotes around them');
      if (typeof value === 'string' && /\p{Surrogate}/u.test(value))
        throw refuse(at, 'half of a surrogate pair stands here; write the whole character');
    },
    leave: (node) => void open.delete(node),
  });
};

const checkKeys = (yaml: Yaml, { items }: YAMLMap, refuse: Refuse): void => {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!yaml.isScalar(key)) continue;
    if (seen.has(key.value)) throw refuse(key.range?.[0] ?? 0, 'Map keys must be unique; correct the YAML there');
    seen.add(key.value);
  }
};
