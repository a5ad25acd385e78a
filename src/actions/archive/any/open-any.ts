import { basename } from 'node:path';
import type { Context } from '../../../core/context.ts';
import type { ArchiveFormat } from '../../../lib/archive/format.ts';
import type { ArchiveLimits } from '../../../lib/archive/limits.ts';
import type { OpenArchive } from '../../../lib/archive/open-archive.ts';
import { openByFormat } from '../../../lib/archive/open-by-format.ts';
import { openArchiveFile } from '../source.ts';
import { demandFormat } from './demand-format.ts';

interface AnyReading {
  readonly limits: ArchiveLimits;
  readonly lenient: boolean;
  readonly password?: Uint8Array | null;
  /** Looks at the format before anything is read. */
  readonly check?: (format: ArchiveFormat) => void;
}

/** Works on an archive of any format, found by its content, that stays open meanwhile. */
export const withAnyArchive = async <T>(
  { files, signal }: Context,
  path: string,
  { limits, lenient, password, check }: AnyReading,
  work: (archive: OpenArchive, format: ArchiveFormat) => Promise<T>,
): Promise<T> => {
  await using source = await openArchiveFile(files, path);
  const format = await demandFormat(source, files.absolute(path), { signal, lenient });
  check?.(format);
  const given = { limits, signal, lenient, password: password ?? undefined };
  const archive = await openByFormat(source, format, { ...given, bareName: bareName(path, format) });
  return await work(archive, format);
};

/** `notes.txt.gz` holds `notes.txt`. */
const bareName = (path: string, format: ArchiveFormat): string => {
  const name = basename(path);
  const ending = `.${format}`;
  return name.toLowerCase().endsWith(ending) && name.length > ending.length ? name.slice(0, -ending.length) : name;
};
