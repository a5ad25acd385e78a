import { defineAction } from '../../core/action.ts';
import { json, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileAutomationException, JsonActionException } from '../../core/errors.ts';
import { anything, nothing } from '../../core/shapes.ts';
import { readJson } from '../../lib/json/read.ts';

export const readActionJson = defineAction({
  name: 'FA_read_action_json',
  summary: 'Reads a list from a JSON file.',
  args: { json_file_path: path('The file.', { role: 'reads' }) },
  returns: anything(),
  idempotent: true,
  examples: [{ files: { 'list.json': '[["FA_progress_list"]]' }, args: { json_file_path: 'list.json' }, value: [['FA_progress_list']] }],
  async run({ files }, { json_file_path }) {
    try {
      return readJson(await files.read(json_file_path), { allowBom: true, name: json_file_path });
    } catch (fault) {
      if (!(fault instanceof FileAutomationException) || fault instanceof JsonActionException) throw fault;
      throw new JsonActionException(`The list ${json_file_path} cannot be read: ${fault.message}`, {
        cause: fault,
        context: { path: json_file_path },
      });
    }
  },
});

interface WriteArgs {
  readonly json_save_path: string;
  readonly action_json: unknown;
}

const write = async ({ files, signal }: Context, { json_save_path, action_json }: WriteArgs): Promise<null> => {
  await files.write(json_save_path, Buffer.from(JSON.stringify(action_json, null, 4)), { signal });
  return null;
};

export const writeActionJson = defineAction({
  name: 'FA_write_action_json',
  summary: 'Writes a list to a JSON file, indented by four.',
  args: { json_save_path: path('The file.', { role: 'writes' }), action_json: json('The list, or any other JSON value.') },
  returns: nothing(),
  idempotent: true,
  examples: [{ args: { json_save_path: 'list.json', action_json: [] }, value: null, leaves: { 'list.json': '[]' } }],
  plan: write,
  run: write,
});
