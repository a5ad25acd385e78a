import { defineAction } from '../../../core/action.ts';
import { path } from '../../../core/args.ts';
import type { OnConflict } from '../../../core/conflict.ts';
import type { Context } from '../../../core/context.ts';
import * as shapes from '../../../core/shapes.ts';
import { compressionOf } from '../../../lib/archive/format.ts';
import type { LinkRule } from '../../../lib/archive/judge/judge-entries.ts';
import { openTar } from '../../../lib/archive/tar/open-tar.ts';
import { extract, foreseeExtract } from '../extract/extract.ts';
import { extractArgs, type LimitsGiven, lenientArg, limitsOf } from '../limit-args.ts';
import { openArchiveFile } from '../source.ts';
import { asTarFault } from './as-tar-fault.ts';

interface ExtractTarArgs extends LimitsGiven {
  readonly source: string;
  readonly target_dir: string;
  readonly on_conflict: OnConflict;
  readonly links: LinkRule;
  readonly lenient: boolean;
}

const extractBy =
  (work: typeof extract) =>
  (context: Context, { source, target_dir, on_conflict, links, lenient, ...given }: ExtractTarArgs): Promise<string[]> =>
    asTarFault(async () => {
      const limits = limitsOf(given);
      await using file = await openArchiveFile(context.files, source);
      const archive = await openTar(file, await compressionOf(file), { limits, lenient, signal: context.signal });
      const written = await work(context, {
        archive,
        wanted: [...archive.entries.keys()],
        target: target_dir,
        limits,
        links,
        onConflict: on_conflict,
      });
      return written.map(({ name }) => name);
    });

export const extractTar = defineAction({
  name: 'FA_extract_tar',
  summary: 'Unpacks a tar archive, plain or compressed with gz, bz2, xz or zst; gives the names of its members.',
  args: {
    source: path('The archive.', { role: 'reads' }),
    target_dir: path('The directory to extract into.', { role: 'writesTree' }),
    ...extractArgs,
    ...lenientArg,
  },
  returns: shapes.list(shapes.text()),
  idempotent: true,
  examples: [
    {
      files: {
        'o.tgz': {
          base64:
            'H4sIAAAAAAACA+3NMQqAMBAF0T2KJ5ARf5LzpBAsAkKM4PEFS3uD4L5mysljO5u9CyBKd4FngWCTghRTlIJBgtkGrINjb7kaXV4ftC6lbOacc+5vLs7EnBwACAAA',
        },
      },
      args: { source: 'o.tgz', target_dir: 'x' },
      value: ['a.txt'],
      leaves: { 'x/a.txt': 'hello' },
    },
  ],
  plan: extractBy(foreseeExtract),
  run: extractBy(extract),
});
