import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Command, Option } from 'commander';
import type { Instance } from '../../app/instance/instance.ts';
import { JsonActionException } from '../../core/errors.ts';
import { translate } from '../../lib/fs/faults.ts';
import { leadsToOwn } from '../../lib/fs/own-names.ts';
import { readJson } from '../../lib/json/read.ts';
import type { Cli, CliCommand } from '../cli.ts';
import { parserCandidates } from '../completion/candidates.ts';
import { shellWords } from '../completion/shell-words.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { historyOption } from '../history-option.ts';
import { type House, withHouse } from '../house.ts';
import { addColorOption, addJsonOption, addOption, addQuietOption, createParser, parse } from '../parser.ts';
import { readList } from '../read-list.ts';
import { showRun } from '../show/show-run.ts';

/** A list to run, and how it was named. */
interface NamedList {
  readonly name: string;
  readonly isFile: boolean;
  readonly list: unknown;
}

type ReadLists = () => Promise<NamedList[]>;

/** The flags of the older tool. They may be combined, and are obeyed in the order in which they stand. */
export const legacy: CliCommand = {
  run: (cli, words) =>
    withHouse(cli, async (house) => {
      const wanted: ReadLists[] = [];
      const parser = legacyParser(cli, house.factotum, wanted);
      parse(parser, words);
      // Every list is read before the first one runs, so that a broken file runs nothing.
      const lists: NamedList[] = [];
      for (const read of wanted) lists.push(...(await read()));
      if (lists.length === 0) throw usageFault('There is nothing to run.', 'factotum --help');
      return runAll(cli, house, lists, parser.opts<{ history: boolean }>().history);
    }),
  complete: (cli, words) => withHouse(cli, async ({ factotum }) => parserCandidates(legacyParser(cli, factotum, []), words) ?? []),
};

const legacyParser = (cli: Cli, factotum: Instance, wanted: ReadLists[]): Command => {
  const parser = createParser('', cli).description('Runs lists by the flags of older scripts; in new ones use: factotum run.');
  const add = (flags: string, about: string, read: (value: string) => Promise<NamedList[]>) =>
    addOption(parser, new Option(flags, about), (value) => wanted.push(() => read(value)));
  add('-e, --execute_file <file>', 'Run the list in a file.', async (file) => [
    { name: file, isFile: true, list: await readList(file, cli) },
  ]);
  add('-d, --execute_dir <dir>', 'Run every .json file below a directory, sorted by name.', (dir) => listsBelow(dir, cli));
  add('--execute_str <json>', 'Run a list given as text.', async (text) => [{ name: text, isFile: false, list: readText(text, cli) }]);
  add('-c, --create_project <dir>', 'Write an example project.', async (dir) => [projectList(dir, factotum)]);
  addOption(parser, historyOption());
  addJsonOption(parser, cli, 'Print each result as a line of JSON.');
  addQuietOption(parser, cli, 'Print only what went wrong.');
  addColorOption(parser, cli);
  return parser;
};

const listsBelow = async (dir: string, cli: Cli): Promise<NamedList[]> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch((fault: unknown) => {
    throw new JsonActionException(`The lists cannot be read: ${translate(fault, { path: dir, missing: 'directory' }).message}`, {
      cause: fault,
      context: { path: dir },
    });
  });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !leadsToOwn(relative(dir, file).replaceAll(sep, '/')));
  if (files.length === 0) throw usageFault(`No .json file lies below ${dir}; check the path.`);
  const lists: NamedList[] = [];
  for (const file of files.sort()) lists.push({ name: file, isFile: true, list: await readList(file, cli) });
  return lists;
};

/** Some shells and callers quote twice: then the text is JSON of a text that is JSON. */
const readText = (text: string, { wants }: Cli): unknown => {
  const options = { name: '--execute_str', excerpt: !wants.json };
  const once = readJson(text, options);
  return typeof once === 'string' ? readJson(once, options) : once;
};

const projectList = (dir: string, { registry }: Instance): NamedList => {
  const action = 'FA_create_project_dir';
  if (registry.about(action) === undefined) throw usageFault(`This installation has no ${action}; use factotum init ${dir} instead.`);
  return { name: dir, isFile: false, list: [[action, { project_path: dir }]] };
};

const runAll = async (cli: Cli, house: House, lists: readonly NamedList[], keepsHistory: boolean): Promise<number> => {
  let worst: number = EXIT.ok;
  for (const { name, isFile, list } of lists) {
    const finished = await house.run(list, { keepsHistory });
    if (lists.length > 1 && !cli.wants.json && !(cli.wants.quiet && finished.result.ok)) cli.out.line(cli.out.colors.bold(name));
    const exitCode = showRun(cli, finished, (hash) =>
      isFile ? shellWords(['factotum', 'run', name, '--no-dry-run', '--expect-plan', hash]) : undefined,
    );
    if (exitCode === EXIT.interrupted) return exitCode;
    worst = Math.max(worst, exitCode);
  }
  return worst;
};
