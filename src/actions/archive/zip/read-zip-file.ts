import { defineAction } from '../../../core/action.ts';
import { path, text } from '../../../core/args.ts';
import { ArchiveException } from '../../../core/errors.ts';
import * as shapes from '../../../core/shapes.ts';
import { shownName } from '../../../lib/archive/entry.ts';
import { demandDeclaredBytes } from '../../../lib/archive/judge/judge-entries.ts';
import type { ArchiveLimits } from '../../../lib/archive/limits.ts';
import type { OpenZip } from '../../../lib/archive/zip/open-zip.ts';
import { lenientArg, limitArgs, limitsOf } from '../limit-args.ts';
import { placesOf, withZipFile } from './open-zip-file.ts';
import { readPassword } from './pack-args.ts';

/** What is answered as a value must fit into memory. */
const MAX_VALUE_BYTES = 64 * 1024 * 1024;

const findMember = (zip: OpenZip, name: string, limits: ArchiveLimits): readonly number[] => {
  demandDeclaredBytes(
    zip.entries.filter((entry) => entry.name === name),
    limits,
  );
  const places = placesOf(zip, [name]);
  if (places.some((place) => zip.entries[place]?.kind !== 'file'))
    throw new ArchiveException(`The member ${shownName(name)} is no file; name one that is.`, { context: { member: name } });
  return places;
};

const readMember = async (zip: OpenZip, places: readonly number[]): Promise<Buffer> => {
  await zip.examine(places);
  const parts: Uint8Array[] = [];
  await zip.read(places, async (_, content) => {
    for await (const chunk of content) parts.push(chunk);
  });
  return Buffer.concat(parts);
};

const limitsFor = (given: Parameters<typeof limitsOf>[0]): ArchiveLimits => ({
  ...limitsOf(given),
  maxBytes: Math.min(given.max_bytes, MAX_VALUE_BYTES),
});

export const readZipFile = defineAction({
  name: 'FA_read_zip_file',
  summary: 'Reads one member of a zip archive; gives its bytes.',
  args: {
    zip_file_path: path('The archive.', { role: 'reads', wrong: ArchiveException }),
    file_name: text('The member as the archive names it.'),
    password: readPassword,
    ...limitArgs,
    ...lenientArg,
  },
  returns: shapes.object({ base64: shapes.text() }),
  idempotent: true,
  examples: [
    {
      files: {
        'o.zip': {
          base64:
            'UEsDBBQAAAAIAIMYIliGphA2BwAAAAUAAAAFAAAAYS50eHTLSM3JyQcAUEsBAhQDFAAAAAgAgxgiWIamEDYHAAAABQAAAAUAAAAAAAAAAAAAAKQBAAAAAGEudHh0UEsFBgAAAAABAAEAMwAAACoAAAAAAA==',
        },
      },
      args: { zip_file_path: 'o.zip', file_name: 'a.txt' },
      value: { base64: 'aGVsbG8=' },
    },
  ],
  plan: (context, { zip_file_path, file_name, password, lenient, ...given }) => {
    const limits = limitsFor(given);
    return withZipFile(context, zip_file_path, { limits, lenient, password }, async (zip) => findMember(zip, file_name, limits));
  },
  run: (context, { zip_file_path, file_name, password, lenient, ...given }) => {
    const limits = limitsFor(given);
    return withZipFile(context, zip_file_path, { limits, lenient, password }, async (zip) => ({
      base64: (await readMember(zip, findMember(zip, file_name, limits))).toString('base64'),
    }));
  },
});
