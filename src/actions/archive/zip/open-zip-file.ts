import type { Context } from '../../../core/context.ts';
import { ArchiveException } from '../../../core/errors.ts';
import { shownName } from '../../../lib/archive/entry.ts';
import type { ArchiveLimits } from '../../../lib/archive/limits.ts';
import { type OpenZip, openZip } from '../../../lib/archive/zip/open-zip.ts';
import { openArchiveFile } from '../source.ts';

interface ZipReading {
  readonly limits: ArchiveLimits;
  readonly lenient: boolean;
  readonly password?: Uint8Array | null;
}

/** Works on a zip file that stays open meanwhile. */
export const withZipFile = async <T>(
  { files, signal }: Context,
  path: string,
  { limits, lenient, password }: ZipReading,
  work: (zip: OpenZip) => Promise<T>,
): Promise<T> => {
  await using source = await openArchiveFile(files, path);
  return await work(await openZip(source, { limits, signal, lenient, password: password ?? undefined }));
};

/** The places of members by name; refuses a name that the archive does not have, or has twice. */
export const placesOf = ({ entries }: OpenZip, names: readonly string[]): number[] => {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (const [index, { name }] of entries.entries()) {
    if (places.has(name)) twice.add(name);
    else places.set(name, index);
  }
  return names.map((name) => {
    const place = places.get(name);
    if (place === undefined)
      throw new ArchiveException(`The archive has no member ${shownName(name)}; look at its names with FA_zip_file_info.`, {
        context: { member: name },
      });
    if (twice.has(name))
      throw new ArchiveException(`The archive has the member ${shownName(name)} twice; do not trust it.`, { context: { member: name } });
    return place;
  });
};
