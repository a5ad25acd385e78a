import { join } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { nothing } from '../../core/shapes.ts';
import { asJsonActionFault } from './as-json-action-fault.ts';

const asJson = (list: unknown): string => `${JSON.stringify(list, null, 2)}\n`;

/** The starter project: two lists that make and remove a folder, and two scripts that run lists. */
const STARTER: Readonly<Record<string, string>> = {
  'keyword/keyword_create.json': asJson([
    ['FA_create_dir', { dir_path: 'starter' }],
    ['FA_create_file', { file_path: 'starter/hello.txt', content: 'Made by a list on ${date:%F}.\n' }],
  ]),
  'keyword/keyword_teardown.json': asJson([['FA_remove_dir_tree', { dir_path: 'starter' }]]),
  'executor/executor_one_file.mjs': `// Runs one list: node executor/executor_one_file.mjs
import { executeFiles } from 'factotum';

const [result] = await executeFiles([new URL('../keyword/keyword_create.json', import.meta.url).pathname]);
console.log(result.status, result.counts);
`,
  'executor/executor_folder.mjs': `// Runs every list of a folder: node executor/executor_folder.mjs
import { readdir } from 'node:fs/promises';
import { executeFiles } from 'factotum';

const folder = new URL('../keyword/', import.meta.url);
const lists = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
for (const result of await executeFiles(lists.map((name) => new URL(name, folder).pathname))) console.log(result.status, result.counts);
`,
};

interface ProjectArgs {
  readonly project_path: string | null;
  readonly parent_name: string;
}

const createProject = async ({ files, signal, cwd }: Context, { project_path, parent_name }: ProjectArgs): Promise<null> => {
  const root = join(files.absolute(project_path ?? cwd), parent_name);
  for (const folder of ['keyword', 'executor']) await files.makeDir(join(root, folder), { parents: true });
  for (const [name, content] of Object.entries(STARTER))
    await asJsonActionFault(join(root, name), () => files.write(join(root, name), Buffer.from(content), { signal, exclusive: true }));
  return null;
};

export const createProjectDir = defineAction({
  name: 'FA_create_project_dir',
  summary: 'Writes a starter project: two lists and two scripts that run them; refuses to replace files.',
  args: {
    project_path: path('Where the project goes; by default the working directory.', {
      role: 'writesTree',
      default: null,
      mayBeMissing: true,
    }),
    parent_name: text('The folder that is made there.', { default: 'factotum', minLength: 1 }),
  },
  returns: nothing(),
  examples: [{ args: { project_path: '.', parent_name: 'demo' }, value: null }],
  plan: createProject,
  run: createProject,
});
