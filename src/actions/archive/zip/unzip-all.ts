import { defineAction } from '../../../core/action.ts';
import { list, path } from '../../../core/args.ts';
import * as shapes from '../../../core/shapes.ts';
import { extractArgs, lenientArg } from '../limit-args.ts';
import { readPassword } from './pack-args.ts';
import { foreseeUnzip, unzip } from './unzip.ts';

export const unzipAll = defineAction({
  name: 'FA_unzip_all',
  summary: 'Extracts all members of a zip archive, or a list of them.',
  args: {
    zip_file_path: path('The archive.', { role: 'reads' }),
    extract_member: list('The members to extract; by default all.', shapes.text(), { default: null }),
    extract_path: path('The directory to extract into; by default the working directory.', { default: null, role: 'writesTree' }),
    password: readPassword,
    ...extractArgs,
    ...lenientArg,
  },
  returns: shapes.nothing(),
  idempotent: true,
  examples: [
    {
      files: {
        'o.zip': {
          base64:
            'UEsDBBQAAAAIAIMYIliGphA2BwAAAAUAAAAFAAAAYS50eHTLSM3JyQcAUEsBAhQDFAAAAAgAgxgiWIamEDYHAAAABQAAAAUAAAAAAAAAAAAAAKQBAAAAAGEudHh0UEsFBgAAAAABAAEAMwAAACoAAAAAAA==',
        },
      },
      args: { zip_file_path: 'o.zip', extract_path: 'x' },
      value: null,
      leaves: { 'x/a.txt': 'hello' },
    },
  ],
  plan: (context, { extract_member, ...args }) => foreseeUnzip(context, extract_member, args),
  run: (context, { extract_member, ...args }) => unzip(context, extract_member, args),
});
