import { defineAction } from '../../core/action.ts';
import { either, integer, path } from '../../core/args.ts';
import { FileNotExistsException, TextOpsException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { decodeText } from '../../lib/text/encoding.ts';
import { demandFile } from './demand-file.ts';

/** Larger answers need a limit, so that nobody asks for a gigabyte by accident. */
const MAX_UNLIMITED_BYTES = 1024 * 1024;

export const readFile = defineAction({
  name: 'FA_read_file',
  summary: 'Reads a text file or a part of it; bytes on request.',
  args: {
    file_path: path('The file to read.', { role: 'reads', wrong: FileNotExistsException }),
    encoding: either('How bytes become text; null gives the bytes as base64.', [shapes.text(), shapes.nothing()], { default: 'utf-8' }),
    offset: integer('Bytes to leave out at the start.', { default: 0, min: 0 }),
    limit: integer('Most bytes to read; needed for more than 1 MiB.', { default: null, min: 0 }),
  },
  returns: shapes.either(shapes.text(), shapes.object({ base64: shapes.text() })),
  idempotent: true,
  onlyLooks: true,
  examples: [
    { files: { 'a.txt': 'hello' }, args: { file_path: 'a.txt' }, value: 'hello' },
    {
      about: 'A part of it, as bytes.',
      files: { 'a.txt': 'hello' },
      args: { file_path: 'a.txt', encoding: null, offset: 1, limit: 3 },
      value: { base64: 'ZWxs' },
    },
  ],
  async run({ files }, { file_path, encoding, offset, limit }) {
    const { size } = await demandFile(files, file_path);
    if (limit === null && size - offset > MAX_UNLIMITED_BYTES) {
      throw new TextOpsException(`${file_path} holds ${size} bytes; ask for a part of it with offset and limit.`, {
        context: { path: file_path, size, limit: MAX_UNLIMITED_BYTES },
      });
    }
    const bytes = await files.read(file_path, limit === null ? { offset } : { offset, limit });
    if (encoding === null) return { base64: bytes.toString('base64') };
    return decodeText(bytes, encoding, { isPart: offset > 0 || offset + bytes.byteLength < size });
  },
});
