import type { Question } from '../../core/action.ts';
import { PrintedValue } from '../../core/printed.ts';
import type { Outcome } from '../../core/result.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { writeJson } from '../terminal/write-json.ts';
import { isListOfLines, writeLines } from '../terminal/write-lines.ts';
import { countsOf } from './answered-no.ts';
import { besideLines } from './show-result.ts';

/** Prints the value of one action for the next program: texts and bytes as they are, lists of texts one a line, nothing for null, else JSON. */
export const showValue = ({ out, err, symbols, wants }: Cli, outcome: Outcome, no?: Question<unknown>): void => {
  const { value, error } = outcome;
  if (error !== undefined) err.line(`${err.colors.red(symbols.bad)} ${err.colors.bold(visible(error.message))}`);
  if (no !== undefined) {
    const counts = typeof value === 'object' ? `: ${countsOf(value)}` : '';
    err.line(`${err.colors.yellow(symbols.warn)} No, ${no.no}${visible(counts)}.`);
  }
  const { steps, ...plain } = outcome;
  // Nested lists that went well have their part in the value already.
  for (const line of besideLines(error === undefined ? plain : outcome, { colors: err.colors, symbols })) err.line(`  ${line}`);
  if (error !== undefined || wants.quiet || value === null || value === undefined) return;
  if (value instanceof PrintedValue) for (const piece of value.pieces) out.write(piece);
  else if (typeof value === 'string') out.write(value === '' || value.endsWith('\n') ? value : `${value}\n`);
  else if (isBytes(value) && !out.isTerminal) out.write(Buffer.from(value.base64, 'base64'));
  else if (isListOfLines(value)) writeLines(out, value);
  else if (out.isTerminal) out.line(JSON.stringify(value, null, 2));
  else writeJson(out, value);
};

const isBytes = (value: unknown): value is { readonly base64: string } =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 1 && 'base64' in value && typeof value.base64 === 'string';
