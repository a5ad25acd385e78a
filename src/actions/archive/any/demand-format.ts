import { ArchiveException } from '../../../core/errors.ts';
import type { ByteSource } from '../../../lib/archive/byte-source.ts';
import { ARCHIVE_FORMATS, type ArchiveFormat, detectFormat } from '../../../lib/archive/format.ts';

/** The format of a file; refuses what is no archive. */
export const demandFormat = async (
  source: ByteSource,
  path: string,
  how: { readonly signal: AbortSignal; readonly lenient: boolean },
): Promise<ArchiveFormat> => {
  const format = await detectFormat(source, how);
  if (format !== undefined) return format;
  throw new ArchiveException(`${path} is no archive of a known format; known are ${ARCHIVE_FORMATS.join(', ')}.`, { context: { path } });
};
