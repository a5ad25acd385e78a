import type { Output } from './output.ts';

/** Whether a value is a list of texts that fit on a line each, such as paths. */
export const isListOfLines = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes('\n'));

const LINES_PER_PIECE = 4_000;

/** Writes texts one a line, in pieces: as one text a long list would take much memory. */
export const writeLines = ({ write }: Pick<Output, 'write'>, texts: readonly string[]): void => {
  for (let at = 0; at < texts.length; at += LINES_PER_PIECE) write(`${texts.slice(at, at + LINES_PER_PIECE).join('\n')}\n`);
};
