import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { PathExistsException } from '../../core/errors.ts';
import { translate } from '../../lib/fs/faults.ts';
import { makeDirectories } from '../../lib/fs/make-directories.ts';
import { codeOf, systemFault } from '../../lib/fs/system-fault.ts';
import { shellWords } from '../completion/shell-words.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { addExamples } from '../parser.ts';
import { pluginFiles } from '../plugin-project.ts';

/** `factotum init`. */
export const init = defineCommand({
  name: 'init',
  describe(parser) {
    parser
      .description(
        'Writes a small example project: a list that runs, a schema with which editors complete and check lists, and a page about both.',
      )
      .argument('[dir]', 'Where to; created if missing.', '.')
      .option('--plugin', 'Write a package that adds actions instead.');
    addExamples(parser, [
      ['factotum init demo', 'then: cd demo && factotum run tour.json'],
      ['factotum init --plugin my-actions', 'a package with two actions and their test'],
    ]);
  },
  async run({ out, symbols }, parser) {
    const [dir = '.'] = parser.args;
    const { bold, green } = out.colors;
    const { plugin = false } = parser.opts<{ readonly plugin?: boolean }>();
    const files = plugin ? pluginFiles(packageName(dir)) : await projectFiles();
    const taken = Object.keys(files).find((name) => existsSync(join(dir, name)));
    if (taken !== undefined) {
      throw new PathExistsException(`${join(dir, taken)} is there already and is not overwritten; choose another directory.`, {
        context: { path: join(dir, taken) },
      });
    }
    for (const [name, text] of Object.entries(files)) {
      await create(join(dir, name), text);
      out.line(`${green(symbols.good)} ${join(dir, name)}`);
    }
    const next = plugin ? 'npm install factotum --no-save && npm test' : 'factotum run tour.json';
    out.line(`Now try: ${bold(`${dir === '.' ? '' : `${shellWords(['cd', dir])} && `}${next}`)}`);
    return EXIT.ok;
  },
});

/** The name of the directory, in the letters that names of packages may have. */
const packageName = (dir: string): string =>
  basename(resolve(dir))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '') || 'factotum-plugin';

const create = async (path: string, text: string) => {
  try {
    makeDirectories(dirname(path));
    await writeFile(path, text, { flag: 'wx' });
  } catch (fault) {
    // The file itself was looked for before: what is there now stands where a directory should.
    throw translate(codeOf(fault) === 'EEXIST' ? systemFault('ENOTDIR', 'mkdir', path) : fault, { path });
  }
};

const SCHEMA = 'action-list.schema.json';

const projectFiles = async (): Promise<Record<string, string>> => ({
  'tour.json': TOUR,
  'README.md': README,
  [SCHEMA]: await readFile(new URL(`../schema/${SCHEMA}`, import.meta.url), 'utf8'),
  '.vscode/settings.json': `${JSON.stringify({ 'json.schemas': [{ fileMatch: ['/*.json', `!/${SCHEMA}`], url: `./${SCHEMA}` }] }, null, 2)}\n`,
});

const TOUR = `{
  "name": "tour",
  "stop_on_error": true,
  "actions": [
    ["FA_create_dir", {"dir_path": "out"}],
    ["FA_create_file", {"file_path": "out/hello.txt", "content": "Hello from \${env:USER:-somebody}, \${date:%A}.\\n"}],
    ["FA_copy_file", ["out/hello.txt", "out/copy.txt"]],
    ["FA_if_exists", {"path": "out/copy.txt", "then": [["FA_stat", ["out/copy.txt"]]]}],
    ["FA_read_file", {"file_path": "out/copy.txt"}]
  ]
}
`;

const README = `# A first list

\`tour.json\` is a list of actions. Each one is a name and its arguments, by name (\`{"file_path": "…"}\`) or in order (\`["…", "…"]\`).

    factotum validate tour.json         check it
    factotum run tour.json --dry-run    see what it would do
    factotum run tour.json              do it

Texts may hold references: \`\${env:NAME}\`, \`\${date:%Y-%m-%d}\`, \`\${results[0].value}\` for the value of the first action.

    factotum actions                    all actions
    factotum actions --search copy      those about copying
    factotum exec copy_file --help      one action, which can also be run by itself

\`${SCHEMA}\` tells editors what a list may hold. Visual Studio Code finds it by \`.vscode/settings.json\`; in others, map
it to your list files in the settings for JSON schemas.
`;
