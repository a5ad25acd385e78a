import { ArchiveException } from '../../../core/errors.ts';
import { shortName, shownName } from '../entry.ts';
import type { ForeignEntry } from './foreign-entry.ts';

/** Refuses an entry whose content cannot be read, before anything is written. */
export const demandForeignReadable = ({ name, unreadable }: ForeignEntry, format: string): void => {
  if (unreadable === undefined) return;
  throw new ArchiveException(`The entry ${shownName(name)} ${unreadable}; extract the archive with another program.`, {
    context: { entry: shortName(name), format },
  });
};

/** What stands for a check sum that is missing. */
export const UNCHECKED = 'has no check sum, so that what its reader gives could not be trusted';
