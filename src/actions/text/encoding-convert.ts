import { defineAction } from '../../core/action.ts';
import { oneOf, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { transformFile } from '../../lib/fs/edit-file.ts';
import { ON_ERRORS, type OnErrors, openDecoder, openEncoder } from '../../lib/text/encoding.ts';
import { decodeChunks, encodeChunks } from '../../lib/text/stream.ts';
import { counted } from './counted.ts';

interface EncodingConvertArgs {
  readonly file_path: string;
  readonly target_path: string;
  readonly source_encoding: string;
  readonly target_encoding: string;
  readonly errors: OnErrors;
}

const convert = (context: Context, args: EncodingConvertArgs): Promise<boolean> => {
  const { file_path, target_path, source_encoding, target_encoding, errors } = args;
  return transformFile(context, { from: file_path, to: target_path }, async (source, target) => {
    const decoder = await openDecoder(source_encoding, { errors });
    const encoder = await openEncoder(target_encoding, { errors });
    const chunks = counted(source.stream(), context.progress(`convert ${source.entry.name}`, source.entry.size));
    for await (const bytes of encodeChunks(decodeChunks(chunks, decoder), encoder)) await target.write(bytes);
    return { value: true, isChanged: true };
  });
};

const NAMES = 'utf-8, utf-16-le, latin-1, cp1252, shift_jis and so on; utf-16 and utf-32 without an order carry a byte order mark';

export const encodingConvert = defineAction({
  name: 'FA_encoding_convert',
  summary: 'Writes a text file again in another encoding; line ends stay as they are.',
  args: {
    file_path: path('The file to read.', { role: 'reads' }),
    target_path: path('The file to write; it may be the same.', { role: 'writes' }),
    source_encoding: text(`The encoding it is in: ${NAMES}.`),
    target_encoding: text('The encoding it gets.'),
    errors: oneOf('What becomes of bad bytes and of characters without a place: fail, a mark instead, or nothing.', ON_ERRORS, {
      default: 'strict',
    }),
  },
  returns: shapes.flag(),
  examples: [
    {
      files: { 'old.txt': { base64: 'Y2Fm6Qo=' } },
      args: { file_path: 'old.txt', target_path: 'new.txt', source_encoding: 'latin-1', target_encoding: 'utf-8' },
      value: true,
      leaves: { 'new.txt': 'café\n' },
    },
  ],
  plan: convert,
  run: convert,
});
