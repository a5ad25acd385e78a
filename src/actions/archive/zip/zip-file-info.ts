import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import { ArchiveException } from '../../../core/errors.ts';
import * as shapes from '../../../core/shapes.ts';
import { lenientArg, limitArgs, limitsOf } from '../limit-args.ts';
import { withZipFile } from './open-zip-file.ts';

export const zipFileInfo = defineAction({
  name: 'FA_zip_file_info',
  summary: 'Lists the member names of a zip archive.',
  args: { zip_file_path: path('The archive.', { role: 'reads', wrong: ArchiveException }), ...limitArgs, ...lenientArg },
  returns: shapes.list(shapes.text()),
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
    withZipFile(context, zip_file_path, { limits: limitsOf(limits), lenient }, async ({ entries }) => entries.map(({ name }) => name)),
});
