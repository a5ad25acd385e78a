import { SHORT_FORMS } from './short-forms.ts';
import { COMMANDS } from './table.ts';
import type { Colors } from './terminal/colors.ts';

/** What `factotum --help` prints. */
export const helpText = ({ bold, cyan, dim }: Colors): string => {
  const width = Math.max(...[...COMMANDS, ...SHORT_FORMS].map(({ name }) => name.length), ...OLDER.map(([flag]) => flag.length));
  const row = (name: string, about: string) => `  ${cyan(name.padEnd(width))}  ${about}`;
  return [
    'Runs actions on files, from lists that are plain JSON.',
    '',
    `${bold('Usage:')} factotum COMMAND [options]`,
    '',
    bold('Commands:'),
    ...COMMANDS.map(({ name, summary }) => row(name, summary)),
    '',
    bold('Short forms:'),
    ...SHORT_FORMS.map(({ name, summary, action }) => row(name, `${summary} ${dim(`(${action})`)}`)),
    '',
    bold('Older flags, which still work:'),
    ...OLDER.map(([flag, about]) => row(flag, about)),
    '',
    bold('Try:'),
    '  factotum init demo && cd demo && factotum run tour.json',
    '  factotum actions --search copy',
    '  factotum exec copy_file --help',
    '',
    `${bold('Exit codes:')} 0 all went well, 1 something failed, 2 the command line or list is wrong, 3 refused, 130 interrupted`,
    dim('factotum COMMAND --help tells more about a command; --version prints the version.'),
    '',
  ].join('\n');
};

const OLDER: readonly (readonly [flag: string, about: string])[] = [
  ['-e, --execute_file FILE', 'Run the list in a file.'],
  ['-d, --execute_dir DIR', 'Run every .json file below a directory.'],
  ['--execute_str JSON', 'Run a list given as text.'],
  ['-c, --create_project DIR', 'Write an example project.'],
];
