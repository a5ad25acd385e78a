import { type Output, openOutput } from './terminal/output.ts';
import { chooseSymbols, type Symbols } from './terminal/symbols.ts';

/** What every command gets: the world outside, as one object. */
export interface Cli {
  readonly version: string;
  readonly out: Output;
  readonly err: Output;
  readonly symbols: Symbols;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether to show what only developers want to see. */
  readonly debug: boolean;
  /** Options that most commands share; set while the command line is read. */
  readonly wants: { json: boolean; quiet: boolean };
}

/** What may stand at a place of a command line. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** One command of the command line. */
export interface CliCommand {
  /** Reads the words after the command's name and does the work; answers the exit code. */
  run(cli: Cli, words: readonly string[]): Promise<number>;
  /** What may stand where the last word is being typed; nothing where only the shell knows, as for files. */
  complete(cli: Cli, words: readonly string[]): readonly Candidate[] | Promise<readonly Candidate[]>;
}

/** The command line of this process. */
export const openCli = (version: string): Cli => {
  const { env } = process;
  return {
    version,
    env,
    out: openOutput(1, env),
    err: openOutput(2, env),
    symbols: chooseSymbols(env),
    debug: (env.FACTOTUM_DEBUG ?? '') !== '',
    wants: { json: false, quiet: false },
  };
};
