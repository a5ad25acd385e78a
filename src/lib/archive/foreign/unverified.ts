import { ArchiveException } from '../../../core/errors.ts';
import { shortName, shownName } from '../entry.ts';

/** A content that foreign code unpacked to something else than the archive states: either may be at fault. */
export const unverified =
  (format: string) =>
  (name: string): ArchiveException =>
    new ArchiveException(
      `The content of ${shownName(name)} could not be verified by its size and check sum: the archive is damaged or in a form of ${format} that is not supported; unar or 7z may read it.`,
      { context: { entry: shortName(name), format, reason: 'unverified' } },
    );

/** Contents that foreign code cannot unpack. */
export const notUnpacked = (complaint: string, cause?: unknown): ArchiveException =>
  new ArchiveException(
    `Not all contents could be unpacked (${complaint}): the archive is damaged or in a form that is not supported; unar or 7z may read it.`,
    { context: { reason: 'unverified' }, cause },
  );
