import { defineAction } from '../../core/action.ts';
import { paths } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAutomationException, JsonActionException, QuotaExceededException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { demandOk } from '../../core/steps-result.ts';
import { readJson } from '../../lib/json/read.ts';
import { outcomes } from './run-result.ts';

const execute = async (ctx: Context, { execute_files_list }: { readonly execute_files_list: readonly string[] }) => {
  // Every file is read before the first list runs, so that a broken one runs nothing.
  const lists: unknown[] = [];
  for (const file of execute_files_list) lists.push(await readList(ctx, file));
  const results = [];
  for (const list of lists) results.push(await ctx.runSteps(list));
  return results.map((result) => demandOk(result).results);
};

/** Commands take about so much more room than their text. */
const READ_FACTOR = 8;

const readList = async ({ files, hold }: Context, file: string): Promise<unknown> => {
  try {
    const bytes = await files.read(file);
    hold(bytes.length * READ_FACTOR);
    return readJson(bytes, { allowBom: true, name: file });
  } catch (fault) {
    if (!(fault instanceof FileAutomationException) || fault instanceof JsonActionException || fault instanceof QuotaExceededException)
      throw fault;
    throw new JsonActionException(`The list ${file} cannot be read: ${fault.message}`, { cause: fault, context: { path: file } });
  }
};

export const executeFiles = defineAction({
  name: 'FA_execute_files',
  summary: 'Runs the list of each JSON file, one file after the other.',
  args: { execute_files_list: paths('The files; all are read before the first list runs.', { role: ['reads', 'steps'] }) },
  returns: shapes.list(outcomes),
  tellsSteps: true,
  examples: [
    {
      files: { 'list.json': '[["FA_create_file", {"file_path": "a.txt", "content": "1"}]]' },
      args: { execute_files_list: ['list.json'] },
      leaves: { 'a.txt': '1' },
    },
  ],
  plan: execute,
  run: execute,
});
