import { didYouMean } from '../lib/text/nearest.ts';
import type { CliCommand } from './cli.ts';
import { usageFault } from './faults.ts';
import { SHORT_FORMS } from './short-forms.ts';
import { COMMANDS } from './table.ts';

/** Loads the command or short form of that name. */
export const findCommand = async (name: string): Promise<CliCommand> => {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return command.load();
  const form = SHORT_FORMS.find((each) => each.name === name);
  if (form !== undefined) return (await import('./commands/exec.ts')).shortForm(form);
  const known = [...COMMANDS, ...SHORT_FORMS].map((each) => each.name);
  const guess = name.endsWith('.json') ? `; to run a file, write: factotum run ${name}` : didYouMean(name, known);
  throw usageFault(`There is no command called ${JSON.stringify(name)}${guess === '' ? '.' : guess}`, 'factotum --help');
};
