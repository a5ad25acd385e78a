import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import { ArchiveException } from '../../../core/errors.ts';
import * as shapes from '../../../core/shapes.ts';
import { ARCHIVE_FORMATS } from '../../../lib/archive/format.ts';
import { lenientArg } from '../limit-args.ts';
import { openArchiveFile } from '../source.ts';
import { demandFormat } from './demand-format.ts';

export const detectArchiveFormat = defineAction({
  name: 'FA_detect_archive_format',
  summary: 'Names the format of an archive by its content.',
  args: { path: path('The file.', { role: 'reads', wrong: ArchiveException }), ...lenientArg },
  returns: shapes.oneOf(ARCHIVE_FORMATS),
  idempotent: true,
  onlyLooks: true,
  examples: [{ files: { 'empty.bin': { base64: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==' } }, args: { path: 'empty.bin' }, value: 'zip' }],
  async run({ files, signal }, args) {
    await using file = await openArchiveFile(files, args.path);
    return await demandFormat(file, files.absolute(args.path), { signal, lenient: args.lenient });
  },
});
