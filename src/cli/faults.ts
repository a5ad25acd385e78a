import { ArgparseException, FileAutomationException, type Json } from '../core/errors.ts';
import { visible } from '../lib/json/locate.ts';
import type { Cli } from './cli.ts';

/** A command line that cannot be understood; `help` is what to type to read more. */
export const usageFault = (message: string, help?: string): ArgparseException =>
  new ArgparseException(message, { context: help === undefined ? {} : { help } });

/** Tells on standard error what went wrong: one sentence, the place in a broken file, every problem of a refused list. */
export const showFault = ({ err, symbols, debug }: Cli, fault: unknown): void => {
  const { bold, dim, red } = err.colors;
  if (!(fault instanceof FileAutomationException)) {
    const said = fault instanceof Error ? fault.message : String(fault);
    err.line(`${red(symbols.bad)} Something went wrong inside factotum: ${visible(said)}`);
    err.line(debug && fault instanceof Error ? (fault.stack ?? '') : dim('  Set FACTOTUM_DEBUG=1 to see where.'));
    return;
  }
  const { line, excerpt, help } = fault.context;
  const problems = problemsOf(fault.context.problems);
  err.line(
    `${red(symbols.bad)} ${bold(problems.length > 1 ? `The list has ${problems.length} problems and was not run.` : visible(fault.message))}`,
  );
  if (isExcerpt(excerpt)) {
    const gutter = String(line ?? '');
    err.line(dim(`  ${gutter} | `) + excerpt.text);
    err.line(dim(`  ${' '.repeat(gutter.length)} | `) + ' '.repeat(excerpt.pointer - 1) + red('^'));
  }
  if (problems.length > 1) for (const { at, message } of problems) err.line(`  ${dim(placeOf(at))} ${visible(message)}`);
  if (typeof help === 'string') err.line(dim(`  See: ${help}`));
  if (debug && fault.stack !== undefined) err.line(dim(fault.stack));
};

type Fields = { readonly [key: string]: Json };

const isFields = (value: Json | undefined): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const isExcerpt = (value: Json | undefined): value is { readonly text: string; readonly pointer: number } =>
  isFields(value) && typeof value.text === 'string' && typeof value.pointer === 'number';

interface Problem {
  readonly at: readonly (string | number)[];
  readonly message: string;
}

const problemsOf = (value: Json | undefined): readonly Problem[] => (Array.isArray(value) ? value.filter(isProblem) : []);

const isProblem = (value: Json): value is { readonly [key: string]: Json } & Problem =>
  isFields(value) && Array.isArray(value.at) && typeof value.message === 'string';

/** `[1].action_list[0]` for `[1, "action_list", 0]`. */
const placeOf = (at: readonly (string | number)[]): string =>
  at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
