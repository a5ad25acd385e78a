import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import { ArchiveException } from '../../../core/errors.ts';
import * as shapes from '../../../core/shapes.ts';
import type { ArchiveFormat } from '../../../lib/archive/format.ts';
import { lenientArg, limitArgs, limitsOf } from '../limit-args.ts';
import { openArchiveFile } from '../source.ts';
import { demandFormat } from './demand-format.ts';
import { withAnyArchive } from './open-any.ts';

const BARE = new Set(['gz', 'bz2', 'xz', 'zst']);

const demandList = (format: ArchiveFormat, path: string): void => {
  if (!BARE.has(format)) return;
  throw new ArchiveException(`${path} is a single file packed with ${format} and has no list; extract it.`, { context: { path, format } });
};

export const listArchive = defineAction({
  name: 'FA_list_archive',
  summary: 'Lists the entry names of an archive of any supported format.',
  args: { path: path('The archive.', { role: 'reads', wrong: ArchiveException }), ...limitArgs, ...lenientArg },
  returns: shapes.list(shapes.text()),
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
  async plan({ files, signal }, { path: file, lenient }) {
    await using source = await openArchiveFile(files, file);
    const shown = files.absolute(file);
    demandList(await demandFormat(source, shown, { signal, lenient }), shown);
  },
  run: (context, { path: file, lenient, ...limits }) =>
    withAnyArchive(
      context,
      file,
      { limits: limitsOf(limits), lenient, check: (format) => demandList(format, context.files.absolute(file)) },
      // A zip archive marks directories by their names, others by their kind.
      async ({ entries }, format) => entries.map(({ name }) => (format === 'zip' ? name : name.replace(/\/+$/, ''))),
    ),
});
