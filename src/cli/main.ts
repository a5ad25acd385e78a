import { FileAutomationException } from '../core/errors.ts';
import { type Cli, openCli } from './cli.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';
import { showFault } from './faults.ts';
import { findCommand } from './find-command.ts';
import { HelpShown } from './parser.ts';

/** Finds the command, loads its code and no other's, and runs it; answers the exit code. */
export const main = async (argv: readonly string[], version: string): Promise<number> => {
  const cli = openCli(version);
  // What nobody waited for, such as a fault in a timer.
  process.on('uncaughtException', (fault) => {
    showFault(cli, fault);
    process.exit(exitCodeFor(fault));
  });
  try {
    return await start(cli, argv);
  } catch (fault) {
    if (fault instanceof HelpShown) return EXIT.ok;
    if (!cli.wants.json || !(fault instanceof FileAutomationException) || !isTold(cli, fault)) showFault(cli, fault);
    return exitCodeFor(fault);
  }
};

/** Tells a program that reads our answers; false where there is no room for them either. */
const isTold = ({ out }: Cli, error: FileAutomationException): boolean => {
  try {
    out.line(JSON.stringify({ error }));
    return true;
  } catch {
    return false; // whoever called tells it on standard error
  }
};

const start = async (cli: Cli, argv: readonly string[]): Promise<number> => {
  const [name, ...words] = argv;
  if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && words.length === 0)) {
    const { helpText } = await import('./help.ts');
    const to = name === undefined ? cli.err : cli.out;
    to.write(helpText(to.colors));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === '__complete') return (await import('./completion/answer-shell.ts')).answerShell(cli, words);
  if (name === 'help') return (await findCommand(words[0] ?? '')).run(cli, [...words.slice(1), '--help']);
  if (name.startsWith('-')) return (await import('./commands/legacy.ts')).legacy.run(cli, argv);
  return (await findCommand(name)).run(cli, words);
};
