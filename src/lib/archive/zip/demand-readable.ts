import { ArchiveException } from '../../../core/errors.ts';
import { shortName, shownName } from '../entry.ts';
import { isKnownMethod } from './methods.ts';
import type { ZipEntry } from './zip-entry.ts';

/** Refuses an entry whose content cannot be read, for want of a password or of a decoder. */
export const demandReadable = ({ name, method, isEncrypted, aesField }: ZipEntry, hasPassword: boolean): void => {
  if (isEncrypted && !hasPassword)
    throw new ArchiveException(`The entry ${shownName(name)} is encrypted; give the password.`, { context: { entry: shortName(name) } });
  // Under WinZip's encryption the real method stands in its own field.
  const packedBy = isEncrypted && aesField !== undefined && aesField.byteLength >= 7 ? aesField.readUInt16LE(5) : method;
  if (isKnownMethod(packedBy, isEncrypted)) return;
  throw new ArchiveException(
    `The entry ${shownName(name)} is packed with method ${packedBy}, which is not supported; have it packed with deflate.`,
    { context: { entry: shortName(name), method: packedBy } },
  );
};
