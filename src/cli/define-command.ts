import type { Command } from 'commander';
import type { Candidate, Cli, CliCommand } from './cli.ts';
import { parserCandidates } from './completion/candidates.ts';
import { addColorOption, createParser, parse } from './parser.ts';

/** A command with one fixed set of options. */
interface PlainCommand {
  readonly name: string;
  /** Declares arguments, options and examples. */
  describe(parser: Command, cli: Cli): void;
  run(cli: Cli, parser: Command): Promise<number>;
  /** What may stand where an argument is expected. */
  candidates?(cli: Cli): readonly Candidate[] | Promise<readonly Candidate[]>;
}

/** Makes a command that reads its words with one parser. */
export const defineCommand = ({ name, describe, run, candidates }: PlainCommand): CliCommand => {
  const open = (cli: Cli): Command => {
    const parser = createParser(name, cli);
    describe(parser, cli);
    addColorOption(parser, cli);
    return parser;
  };
  return {
    run(cli, words) {
      const parser = open(cli);
      parse(parser, words);
      return run(cli, parser);
    },
    complete: (cli, words) => parserCandidates(open(cli), words) ?? candidates?.(cli) ?? [],
  };
};
