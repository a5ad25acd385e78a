import { ArchiveException } from '../../../core/errors.ts';
import { shortName, shownName } from '../entry.ts';
import { METHOD_DEFLATED, METHOD_STORED } from './records.ts';
import type { ZipEntry } from './zip-entry.ts';

const METHODS = new Set([METHOD_STORED, METHOD_DEFLATED]);

/** Refuses an entry whose content cannot be read, for want of a password or of a decoder. */
export const demandReadable = ({ name, method, isEncrypted, aesField }: ZipEntry, hasPassword: boolean): void => {
  if (isEncrypted && !hasPassword)
    throw new ArchiveException(`The entry ${shownName(name)} is encrypted; give the password.`, { context: { entry: shortName(name) } });
  // Under WinZip's encryption the real method stands in its own field.
  const packedBy = isEncrypted && aesField !== undefined && aesField.byteLength >= 7 ? aesField.readUInt16LE(5) : method;
  if (METHODS.has(packedBy)) return;
  throw new ArchiveException(
    `The entry ${shownName(name)} is packed with method ${packedBy}, which is not supported; have it packed with deflate.`,
    { context: { entry: shortName(name), method: packedBy } },
  );
};
