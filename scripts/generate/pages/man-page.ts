import { EXIT } from '../../../src/cli/exit-code.ts';
import { SHORT_FORMS } from '../../../src/cli/short-forms.ts';
import { COMMANDS } from '../../../src/cli/table.ts';

/** What each exit code says. */
const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'All went well.',
  failed: 'Something failed.',
  usage: 'The command line or the list is wrong.',
  refused: 'It was refused.',
  interrupted: 'It was interrupted.',
};

/** The manual page of the command, in the language of man(7). It has no date, which would change without the command. */
export const manPage = (manifest: string): string => {
  const { version, homepage }: { readonly version: string; readonly homepage: string } = JSON.parse(manifest);
  const codes = Object.entries(EXIT).map(([name, code]) => entry(String(code), MEANINGS[name as keyof typeof EXIT])); // its own keys
  return `.\\" Written by npm run generate; edit scripts/generate/pages/man-page.ts instead.
.TH FACTOTUM 1 "" "factotum ${text(version)}" "User Commands"
.SH NAME
factotum \\- run actions on files, from lists that are plain JSON
.SH SYNOPSIS
.B factotum
.I COMMAND
[\\fIoptions\\fR]
.SH DESCRIPTION
Copies, archives, encrypts, converts, searches, synchronises and compares files, and runs programs, as a list of actions says.
Every list can be planned before it touches a byte:
.B factotum run \\-\\-dry\\-run
tells what it would create, replace, delete and read.
.PP
.B factotum
.I COMMAND
.B \\-\\-help
tells the options of a command,
.B factotum exec
.I ACTION
.B \\-\\-help
the arguments of an action.
.SH COMMANDS
${COMMANDS.map(({ name, summary }) => entry(name, summary)).join('')}.SH SHORT FORMS
${SHORT_FORMS.map(({ name, summary, action }) => entry(name, `${summary} (${action})`)).join('')}.SH EXIT STATUS
${codes.join('')}.SH FILES
${entry('factotum.toml', 'The configuration: in the working directory or one above it, or where --config says.')}${entry('~/.local/state/factotum', 'The store: runs, queue, schedules, old files for undo. XDG_STATE_HOME moves it.')}.SH SEE ALSO
The documentation comes with the package, in its folder
.IR docs ,
and is at
.UR ${homepage}
.UE .
`;
};

const entry = (term: string, about: string): string => `.TP\n.B ${text(term)}\n${text(about)}\n`;

/** A hyphen that is typed, and no line that looks like a request. */
const text = (words: string): string =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
