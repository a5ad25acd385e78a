import type { Candidate, Cli } from '../cli.ts';
import { legacy } from '../commands/legacy.ts';
import { EXIT } from '../exit-code.ts';
import { findCommand } from '../find-command.ts';
import { SHORT_FORMS } from '../short-forms.ts';
import { COMMANDS } from '../table.ts';

/** What the scripts ask for: one line for each word that may stand where the last one is being typed, a tab before what it means. */
export const answerShell = async (cli: Cli, words: readonly string[]): Promise<number> => {
  const typed = words.at(-1) ?? '';
  const found = await candidatesFor(cli, withoutEquals(words)).catch(() => []); // no candidate is better than a message in the middle of a prompt
  for (const { word, about } of found) {
    if (word.startsWith(typed === '=' ? '' : typed)) cli.out.line(`${word}\t${about.split('\n')[0]}`);
  }
  return EXIT.ok;
};

const candidatesFor = async (cli: Cli, words: readonly string[]): Promise<readonly Candidate[]> => {
  const [name = '', ...rest] = words;
  if (name.startsWith('-')) return [...(await legacy.complete(cli, words)), { word: '--version', about: 'Print the version.' }];
  if (words.length > 1) return (await findCommand(name)).complete(cli, rest);
  return [...COMMANDS, ...SHORT_FORMS].map((entry) => ({ word: entry.name, about: entry.summary }));
};

/** Bash breaks `--color=always` into three words. */
const withoutEquals = (words: readonly string[]): readonly string[] => {
  const typed = words.at(-1) === '=' ? [...words, ''] : words;
  return typed.filter((word, at) => word !== '=' || at === 0);
};
