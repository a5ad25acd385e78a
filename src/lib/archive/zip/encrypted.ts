import { ArchiveException } from '../../../core/errors.ts';
import { broken } from '../broken.ts';
import type { ByteSource } from '../byte-source.ts';
import { shortName, shownName } from '../entry.ts';
import type { Meter } from '../limits.ts';
import { loneEntry } from './lone-entry.ts';
import type { ZipEntry } from './zip-entry.ts';
import { loadZipJs } from './zip-js.ts';

interface Unlocking {
  readonly password: Uint8Array;
  readonly meter: Meter;
}

/** The content of an entry under a password, AES or the older kind; its authentication code or check sum is compared. */
export async function* readEncrypted(
  source: ByteSource,
  entry: ZipEntry,
  contentAt: number,
  { password, meter }: Unlocking,
): AsyncGenerator<Uint8Array> {
  const zipJs = await loadZipJs();
  const alone = loneEntry(source, entry, contentAt);
  const reader = Object.assign(new zipJs.Reader(undefined), {
    size: alone.size,
    async readUint8Array(position: number, length: number): Promise<Uint8Array> {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, await alone.readAt(bytes, position));
    },
  });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const unlocking = unlock(zipJs, reader, writable, password);
  meter.consumed(entry.packedSize);
  let size = 0;
  try {
    for await (const chunk of readable) {
      size += chunk.byteLength;
      if (size > entry.size) throw broken(`holds more of ${shownName(entry.name)} than it says`, { entry: shortName(entry.name) });
      meter.produced(chunk.byteLength);
      yield chunk;
    }
    await unlocking;
  } catch (fault) {
    if (!(fault instanceof Error) || !isComplaint(zipJs, fault)) throw fault;
    throw isWrongKey(zipJs, fault) ? wrongPassword(entry, fault) : undecipherable(entry, fault);
  } finally {
    await unlocking.catch(() => {}); // told above, or the reader left early
  }
  if (size !== entry.size) throw broken(`holds less of ${shownName(entry.name)} than it says`, { entry: shortName(entry.name) });
}

type ZipJs = Awaited<ReturnType<typeof loadZipJs>>;

const unlock = async (
  zipJs: ZipJs,
  reader: InstanceType<ZipJs['Reader']>,
  writable: WritableStream<Uint8Array>,
  rawPassword: Uint8Array,
): Promise<void> => {
  try {
    const [entry] = await new zipJs.ZipReader(reader).getEntries();
    if (entry === undefined || entry.directory) throw new Error(zipJs.ERR_BAD_FORMAT);
    await entry.getData(writable, { rawPassword, checkSignature: true });
  } catch (fault) {
    await writable.abort(fault).catch(() => {}); // it may have failed already
    throw fault;
  }
};

/** Whether the library refuses what it was given; anything else went wrong on the way. */
const isComplaint = (zipJs: ZipJs, { message }: Error): boolean =>
  message !== zipJs.ERR_ABORTED && Object.entries(zipJs).some(([name, value]) => name.startsWith('ERR_') && value === message);

const isWrongKey = (zipJs: ZipJs, { message }: Error): boolean =>
  [
    zipJs.ERR_INVALID_PASSWORD,
    zipJs.ERR_INVALID_AUTHENTICATION_CODE,
    zipJs.ERR_INVALID_CRC32,
    zipJs.ERR_INVALID_COMPRESSED_DATA,
    zipJs.ERR_INVALID_UNCOMPRESSED_SIZE,
  ].includes(message);

const wrongPassword = ({ name }: ZipEntry, cause: unknown) =>
  new ArchiveException(
    `The entry ${shownName(name)} cannot be opened: the password is wrong or the archive is damaged; check the password.`,
    { context: { entry: shortName(name) }, cause },
  );

const undecipherable = ({ name }: ZipEntry, cause: Error) =>
  new ArchiveException(
    `The entry ${shownName(name)} is encrypted in a way that is not supported (${cause.message}); extract the archive with the program that made it.`,
    { context: { entry: shortName(name), reason: 'encryption' }, cause },
  );
