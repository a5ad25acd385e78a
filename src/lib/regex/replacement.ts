import { TextOpsException } from '../../core/errors.ts';
import type { LinearRegex } from './compile.ts';
import type { Match } from './match.ts';

/** What stands in place of a match. */
export type Replacement = (match: Match) => string;

/** A text, or the number of a group. */
type Part = string | number;

/**
 * Reads a replacement: `\1` and `\g<1>` or `\g<name>` stand for groups, `\g<0>` for the whole match, `\\` for a backslash,
 * `\n \r \t \f \v \a` for control characters; a backslash before anything but a letter or digit stays. The rest is itself.
 */
export const compileReplacement = (written: string, regex: LinearRegex): Replacement => {
  const parts: Part[] = [];
  let from = 0;
  for (const found of written.matchAll(/\\(?:g<([^>]*)>|([1-9]\d?)|([a-zA-Z0])|(\\))/g)) {
    const [whole, group, number, letter, backslash] = found;
    parts.push(written.slice(from, found.index));
    from = found.index + whole.length;
    if (backslash !== undefined) parts.push('\\');
    else if (letter !== undefined) parts.push(CONTROLS.get(letter) ?? refuse(`${whole} means nothing`));
    else parts.push(groupNumber(group ?? number ?? '', regex));
  }
  parts.push(written.slice(from));
  const told = parts.filter((part) => part !== '');
  return ({ groups }) => {
    let text = '';
    for (const part of told) text += typeof part === 'string' ? part : (groups[part] ?? '');
    return text;
  };
};

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

const groupNumber = (written: string, { groupCount, groupNames }: LinearRegex): number => {
  const number = /^\d+$/.test(written) ? Number(written) : groupNames.get(written);
  if (number === undefined) return refuse(`the pattern has no group called ${JSON.stringify(written.slice(0, 40))}`);
  return number <= groupCount ? number : refuse(`the pattern has ${groupCount} groups, not ${number}`);
};

const refuse = (why: string): never => {
  throw new TextOpsException(`The replacement cannot be used: ${why}; write \\\\ for a backslash.`, {
    context: { argument: 'replacement', why },
  });
};
