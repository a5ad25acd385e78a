import { parse, TomlError } from 'smol-toml';
import { ConfigException } from '../../core/errors.ts';
import { locate, visible } from '../../lib/json/locate.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';
import { type ConfigTree, isTable } from './tree.ts';

/** A configuration file as read. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
}

const MAX_DEPTH = 64;

/** Reads TOML; a date becomes its text, as in JSON. */
export const readToml = ({ path, text }: ConfigFile): ConfigTree => {
  try {
    const tree = rewriteJson(parse(text, { maxDepth: MAX_DEPTH, unsafeKeyBehaviour: 'throw' }), {
      text: (value) => value,
      instance: (value) => (value instanceof Date ? value.toISOString() : value),
    });
    return isTable(tree) ? tree : {};
  } catch (fault) {
    if (!(fault instanceof TomlError)) throw fault;
    const { line, column } = fault;
    const [said = ''] = fault.message.replace(/^Invalid TOML document: /, '').split('\n'); // the rest repeats lines of the file
    throw new ConfigException(`${visible(path)}:${line}:${column}: this is not TOML: ${said}.`, {
      context: { path, line, column, excerpt: excerptAt(text, offsetOf(text, line, column)) },
    });
  }
};

/** The line of a place, fit for a terminal, with the contents of its values covered: they may be secrets. */
export const excerptAt = (text: string, offset: number): { readonly text: string; readonly pointer: number } => {
  const { text: shown, pointer } = locate(text.replace(VALUE, cover), offset);
  return { text: shown, pointer };
};

/** Comments; texts of all kinds, closed or not; what else may follow an equals sign. */
const VALUE =
  /#[^\n]*|"""(?:\\[\s\S]|[^\\])*?(?:"{3,5}|$(?![\s\S]))|'''[\s\S]*?(?:'{3,5}|$(?![\s\S]))|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|(?<==[ \t]*)[^\s"'[{#=][^\n#,\]}]*/g;
const HARMLESS = /^(?:true|false|[-+]?[\d._:]+)\s*$/;

/** Characters become stars one by one, so that columns stay. */
const cover = (value: string): string => {
  if (value.startsWith('#') || HARMLESS.test(value)) return value;
  const quote = /^(?:"""|'''|["'])?/.exec(value)?.[0] ?? '';
  const isClosed = quote !== '' && value.length >= 2 * quote.length && value.endsWith(quote);
  const inside = value.slice(quote.length, isClosed ? -quote.length : undefined);
  return quote + inside.replace(/[^\r\n]/g, '*') + (isClosed ? quote : '');
};

const offsetOf = (text: string, line: number, column: number): number => {
  let start = 0;
  for (let at = 1; at < line; at += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
};
