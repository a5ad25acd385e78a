import { defineAction } from '../../core/action.ts';
import { json, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { JsonActionException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { readJson } from '../../lib/json/read.ts';
import { asJsonActionFault } from './as-json-action-fault.ts';

export const readActionJson = defineAction({
  name: 'FA_read_action_json',
  summary: 'Reads a list from a JSON file.',
  args: { json_file_path: path('The file.', { role: 'reads', wrong: JsonActionException }) },
  returns: shapes.json(),
  idempotent: true,
  onlyLooks: true,
  examples: [{ files: { 'list.json': '[["FA_progress_list"]]' }, args: { json_file_path: 'list.json' }, value: [['FA_progress_list']] }],
  async run({ files }, { json_file_path }) {
    return asJsonActionFault(json_file_path, async () =>
      readJson(await files.read(json_file_path), { allowBom: true, name: json_file_path }),
    );
  },
});

interface WriteArgs {
  readonly json_save_path: string;
  readonly action_json: unknown;
}

const write = async ({ files, signal }: Context, { json_save_path, action_json }: WriteArgs): Promise<null> => {
  const text = JSON.stringify(action_json, null, 4);
  await asJsonActionFault(json_save_path, () => files.write(json_save_path, Buffer.from(text), { signal, needsDirectory: true }));
  return null;
};

export const writeActionJson = defineAction({
  name: 'FA_write_action_json',
  summary: 'Writes a list to a JSON file, indented by four.',
  args: {
    json_save_path: path('The file; its directory must exist.', { role: 'writes' }),
    action_json: json('The list, or any other JSON value.', { isContent: true }),
  },
  returns: shapes.nothing(),
  idempotent: true,
  examples: [{ args: { json_save_path: 'list.json', action_json: [] }, value: null, leaves: { 'list.json': '[]' } }],
  plan: write,
  run: write,
});
