import { textInNames } from '../../text/globs-text.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { locateWords } from './locate.ts';
import type { OsIndex } from './os-index.ts';

/** Runs a program and gives what it prints; undefined where it failed or printed too much. */
export type Ask = (words: readonly [string, ...string[]]) => Promise<string | undefined>;

/** What an index answered. */
export interface IndexAnswer {
  /** Absolute paths; more than were asked for, and some may be gone. */
  readonly paths: readonly string[];
  /** Which of the rest need not be looked at; undefined where the index does not tell. */
  readonly coverage: Coverage | undefined;
}

/** An index finds shorter texts no faster than a walk does. */
const MIN_TEXT_CHARS = 3;

/** Asks an index about what lies below a real path and may match a pattern; undefined where it cannot help. */
export const askIndex = async (index: OsIndex, root: string, pattern: string, ask: Ask): Promise<IndexAnswer | undefined> => {
  if (index.locate === undefined) return askWith(index, root, pattern, ask, undefined);
  const coverage = coverageOf(root, index.locate);
  return coverage && askWith(index, root, pattern, ask, coverage);
};

/** The same where it is known already what the index covers. */
export const askWith = async (
  index: OsIndex,
  root: string,
  pattern: string,
  ask: Ask,
  coverage: Coverage | undefined,
): Promise<IndexAnswer | undefined> => {
  const text = steadyText(pattern);
  const answer = text && (await ask([index.program, ...wordsFor(index, root, text)]));
  return answer === undefined ? undefined : { paths: answer.split(/\0|\r?\n/).filter((path) => path !== ''), coverage };
};

/** Characters whose other case every program knows: a `k` is also the Kelvin sign. */
const steadyText = (pattern: string): string | undefined => {
  const parts = (textInNames(pattern) ?? '').split(/[^ -~]|k/i);
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return longest.length < MIN_TEXT_CHARS ? undefined : longest;
};

const wordsFor = (index: OsIndex, root: string, text: string): string[] => {
  if (index.locate !== undefined) return locateWords(index.locate, root, text);
  if (index.name === 'es') return ['-path', root, text];
  return ['-0', '-onlyin', root, `kMDItemFSName == "*${text.replaceAll(/["*\\]/g, '\\$&')}*"c`];
};
