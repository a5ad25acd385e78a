import { ArchiveException } from '../../../core/errors.ts';
import { shortName, shownName } from '../entry.ts';
import { isKnownMethod } from './methods.ts';
import type { ZipEntry } from './zip-entry.ts';

/** Refuses an entry whose content cannot be read, for want of a password or of a decoder. */
export const demandReadable = ({ name, method, isEncrypted, aesField, isStronglyEncrypted }: ZipEntry, hasPassword: boolean): void => {
  if (isStronglyEncrypted) throw unsupportedEncryption(name, "PKWARE's strong encryption");
  if (isEncrypted && method === METHOD_AES && !isAesField(aesField))
    throw unsupportedEncryption(name, 'a form of AES that it does not describe');
  if (isEncrypted && !hasPassword)
    throw new ArchiveException(`The entry ${shownName(name)} is encrypted; give the password.`, { context: { entry: shortName(name) } });
  // Under WinZip's encryption the real method stands in its own field.
  const packedBy = isEncrypted && isAesField(aesField) ? aesField.readUInt16LE(5) : method;
  if (isKnownMethod(packedBy, isEncrypted)) return;
  throw new ArchiveException(
    `The entry ${shownName(name)} is packed with method ${packedBy}, which is not supported; have it packed with deflate.`,
    { context: { entry: shortName(name), method: packedBy } },
  );
};

const METHOD_AES = 99;

/** Version, the letters AE, the strength (128, 192 or 256 bits) and the real method. */
const isAesField = (field: Buffer | undefined): field is Buffer =>
  field !== undefined && field.byteLength >= 7 && field[4] !== undefined && field[4] >= 1 && field[4] <= 3;

const unsupportedEncryption = (name: string, by: string) =>
  new ArchiveException(
    `The entry ${shownName(name)} is encrypted with ${by}, which is not supported; extract the archive with the program that made it.`,
    { context: { entry: shortName(name), reason: 'encryption' } },
  );
