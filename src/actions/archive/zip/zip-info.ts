import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import { ArchiveException } from '../../../core/errors.ts';
import { array, boolean, object, string, whole } from '../../../core/shapes.ts';
import { mapInSlices } from '../../../lib/async/in-slices.ts';
import { lenientArg, limitArgs, limitsOf } from '../limit-args.ts';
import { withZipFile } from './open-zip-file.ts';

export const zipInfo = defineAction({
  name: 'FA_zip_info',
  summary: 'Describes every member of a zip archive.',
  args: { zip_file_path: path('The archive.', { role: 'reads', wrong: ArchiveException }), ...limitArgs, ...lenientArg },
  returns: array(
    object({
      filename: string(),
      file_size: whole(),
      compress_size: whole(),
      crc: whole(),
      compress_type: whole(),
      date_time: string(),
      is_dir: boolean(),
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
