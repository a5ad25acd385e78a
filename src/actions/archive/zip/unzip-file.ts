import { defineAction } from '../../../core/action.ts';
import { path, text } from '../../../core/args.ts';
import { nothing } from '../../../core/shapes.ts';
import { extractArgs, lenientArg } from '../limit-args.ts';
import { readPassword } from './pack-args.ts';
import { foreseeUnzip, unzip } from './unzip.ts';

export const unzipFile = defineAction({
  name: 'FA_unzip_file',
  summary: 'Extracts one member of a zip archive under its own path.',
  args: {
    zip_file_path: path('The archive.', { role: 'reads' }),
    extract_member: text('The member as the archive names it.'),
    extract_path: path('The directory to extract into; by default the working directory.', { default: null, role: 'writesTree' }),
    password: readPassword,
    ...extractArgs,
    ...lenientArg,
  },
  returns: nothing(),
  idempotent: true,
  examples: [
    {
      files: {
        'o.zip': {
          base64:
            'UEsDBBQAAAAIAIMYIliGphA2BwAAAAUAAAAFAAAAYS50eHTLSM3JyQcAUEsBAhQDFAAAAAgAgxgiWIamEDYHAAAABQAAAAUAAAAAAAAAAAAAAKQBAAAAAGEudHh0UEsFBgAAAAABAAEAMwAAACoAAAAAAA==',
        },
      },
      args: { zip_file_path: 'o.zip', extract_member: 'a.txt', extract_path: 'x' },
      value: null,
      leaves: { 'x/a.txt': 'hello' },
    },
  ],
  plan: (context, { extract_member, ...args }) => foreseeUnzip(context, [extract_member], args),
  run: (context, { extract_member, ...args }) => unzip(context, [extract_member], args),
});
