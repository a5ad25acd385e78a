import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { nothing } from '../../core/shapes.ts';
import { encodeText } from '../../lib/text/encoding.ts';

interface CreateFileArgs {
  readonly file_path: string;
  readonly content: string;
  readonly encoding: string;
}

const write = async ({ files, signal }: Context, { file_path, content, encoding }: CreateFileArgs): Promise<void> =>
  files.write(file_path, await encodeText(content, encoding), { signal, needsDirectory: true });

export const createFile = defineAction({
  name: 'FA_create_file',
  summary: 'Writes text to a file, replacing what was there.',
  args: {
    file_path: path('The file to write; its directory must exist.', { role: 'writes' }),
    content: text('The text.', { default: '', isContent: true }),
    encoding: text('How the text becomes bytes.', { default: 'utf-8' }),
  },
  returns: nothing(),
  idempotent: true,
  examples: [{ args: { file_path: 'hello.txt', content: 'hello\n' }, value: null, leaves: { 'hello.txt': 'hello\n' } }],
  plan: write,
  async run(ctx, args) {
    await write(ctx, args);
    return null;
  },
});
