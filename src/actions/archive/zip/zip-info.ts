import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import { ArchiveException } from '../../../core/errors.ts';
import * as shapes from '../../../core/shapes.ts';
import { mapInSlices } from '../../../lib/async/in-slices.ts';
import { lenientArg, limitArgs, limitsOf } from '../limit-args.ts';
import { withZipFile } from './open-zip-file.ts';

export const zipInfo = defineAction({
  name: 'FA_zip_info',
  summary: 'Describes every member of a zip archive.',
  args: { zip_file_path: path('The archive.', { role: 'reads', wrong: ArchiveException }), ...limitArgs, ...lenientArg },
  returns: shapes.list(
    shapes.object({
      filename: shapes.text(),
      file_size: shapes.integer(),
      compress_size: shapes.integer(),
      crc: shapes.integer(),
      compress_type: shapes.integer(),
      date_time: shapes.text(),
      is_dir: shapes.flag(),
    }),
  ),
  idempotent: true,
  onlyLooks: true,
  examples: [
    {
      files: { 'o.zip': { base64: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==' } },
      args: { zip_file_path: 'o.zip' },
      value: [],
    },
  ],
  run: (context, { zip_file_path, lenient, ...limits }) =>
    withZipFile(context, zip_file_path, { limits: limitsOf(limits), lenient }, async ({ entries }) =>
      mapInSlices(entries, context, ({ name, size, packedSize, checksum, method, mtimeMs = 0, kind }) => ({
        filename: name,
        file_size: size,
        compress_size: packedSize,
        crc: checksum,
        compress_type: method,
        date_time: new Date(mtimeMs).toISOString(),
        is_dir: kind === 'dir',
      })),
    ),
});
