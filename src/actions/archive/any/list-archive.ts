import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import { ArchiveException } from '../../../core/errors.ts';
import { array, string } from '../../../core/shapes.ts';
import { lenientArg, limitArgs, limitsOf } from '../limit-args.ts';
import { withAnyArchive } from './open-any.ts';

const BARE = new Set(['gz', 'bz2', 'xz', 'zst']);

export const listArchive = defineAction({
  name: 'FA_list_archive',
  summary: 'Lists the entry names of an archive of any supported format.',
  args: { path: path('The archive.', { role: 'reads', wrong: ArchiveException }), ...limitArgs, ...lenientArg },
  returns: array(string()),
  idempotent: true,
  examples: [
    {
      files: {
        o: {
          base64:
            'UEsDBBQAAAAIAIMYIliGphA2BwAAAAUAAAAFAAAAYS50eHTLSM3JyQcAUEsBAhQDFAAAAAgAgxgiWIamEDYHAAAABQAAAAUAAAAAAAAAAAAAAKQBAAAAAGEudHh0UEsFBgAAAAABAAEAMwAAACoAAAAAAA==',
        },
      },
      args: { path: 'o' },
      value: ['a.txt'],
    },
  ],
  run: (context, { path: file, lenient, ...limits }) =>
    withAnyArchive(
      context,
      file,
      {
        limits: limitsOf(limits),
        lenient,
        check(format) {
          if (BARE.has(format))
            throw new ArchiveException(
              `${context.files.absolute(file)} is a single file packed with ${format} and has no list; extract it.`,
              { context: { path: context.files.absolute(file), format } },
            );
        },
      },
      // A zip archive marks directories by their names, others by their kind.
      async ({ entries }, format) => entries.map(({ name }) => (format === 'zip' ? name : name.replace(/\/+$/, ''))),
    ),
});
