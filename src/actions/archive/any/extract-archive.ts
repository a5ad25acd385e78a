import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import type { OnConflict } from '../../../core/conflict.ts';
import type { Context } from '../../../core/context.ts';
import * as shapes from '../../../core/shapes.ts';
import type { LinkRule } from '../../../lib/archive/judge/judge-entries.ts';
import { extract, foreseeExtract } from '../extract/extract.ts';
import { extractArgs, type LimitsGiven, lenientArg, limitsOf } from '../limit-args.ts';
import { readPassword } from '../zip/pack-args.ts';
import { withAnyArchive } from './open-any.ts';

interface ExtractArchiveArgs extends LimitsGiven {
  readonly source: string;
  readonly target: string;
  readonly password: Uint8Array | null;
  readonly on_conflict: OnConflict;
  readonly links: LinkRule;
  readonly lenient: boolean;
}

const extractBy =
  (work: typeof extract) =>
  (context: Context, { source, target, password, on_conflict, links, lenient, ...given }: ExtractArchiveArgs): Promise<string[]> => {
    const limits = limitsOf(given);
    return withAnyArchive(context, source, { limits, lenient, password }, async (archive, format) => {
      const written = await work(context, { archive, wanted: [...archive.entries.keys()], target, limits, links, onConflict: on_conflict });
      // Directories of a zip archive are made but not listed, as zip lists never had them for certain.
      return written.filter(({ isDirectory }) => format !== 'zip' || !isDirectory).map(({ name }) => name);
    });
  };

export const extractArchive = defineAction({
  name: 'FA_extract_archive',
  summary: 'Extracts an archive of any supported format, found by its content; gives the names of what was written.',
  args: {
    source: path('The archive.', { role: 'reads' }),
    target: path('The directory to extract into.', { role: 'writesTree' }),
    ...extractArgs,
    password: readPassword,
    ...lenientArg,
  },
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
      args: { source: 'o', target: 'x' },
      value: ['a.txt'],
      leaves: { 'x/a.txt': 'hello' },
    },
  ],
  plan: extractBy(foreseeExtract),
  run: extractBy(extract),
});
