// The headers of rar archives since version 5. Names of fields follow the technical note of its makers.
import { isUtf8 } from 'node:buffer';
import { shownBytes } from '../../../fs/raw-names.ts';
import { crc32 } from '../../../hash/crc32.ts';
import { broken } from '../../broken.ts';
import { type ByteSource, windowOver } from '../../byte-source.ts';
import { type ArchiveLimits, demandEntries } from '../../limits.ts';
import { UNCHECKED } from '../demand-readable.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { damagedRar, encryptedHeaders, kindByMode, type RarEntry, severalVolumes } from './rar-entry.ts';
import { type Rar5Extra, readExtra } from './rar5-extra.ts';
import { varint } from './varint.ts';

const MARK_BYTES = 8;
const MAX_HEADER_BYTES = 2 * 1024 * 1024;
/** Check sum and the longest size. */
const BEFORE_HEADER_BYTES = 7;
const TYPE = { main: 1, file: 2, service: 3, encryption: 4, end: 5 };
const BLOCK = { hasExtra: 0x01, hasData: 0x02, maySkip: 0x04, splitBefore: 0x08, splitAfter: 0x10 };
const MAIN = { volume: 0x01 };
const FILE = { dir: 0x01, hasTime: 0x02, hasCrc: 0x04, unknownSize: 0x08 };
const MORE_VOLUMES = 0x01;
const UNIX = 1;
/** What the decoder may take for the text that it looks back to. */
const MAX_WINDOW_BYTES = 256 * 1024 * 1024;

/** All entries, in their order; whatever could not be extracted as a whole is refused here. */
export const readRar5 = async (source: ByteSource, limits: ArchiveLimits): Promise<RarEntry[]> => {
  const entries: RarEntry[] = [];
  const window = windowOver(source);
  for (let at = MARK_BYTES; ; ) {
    const block = await readBlock(window, source.size, at);
    const { type, flags, fields } = block;
    if ((flags & (BLOCK.splitBefore | BLOCK.splitAfter)) !== 0 && type === TYPE.file) throw severalVolumes();
    if (type === TYPE.end) {
      if ((varint(fields) & MORE_VOLUMES) !== 0) throw severalVolumes();
      return entries;
    }
    if (type === TYPE.encryption) throw encryptedHeaders('rar');
    if (type === TYPE.main && (varint(fields) & MAIN.volume) !== 0) throw severalVolumes();
    if (type === TYPE.file) entries.push(fileFrom(block));
    if (type > TYPE.end && (flags & BLOCK.maySkip) === 0) throw broken('has a part that only a newer program understands');
    demandEntries(entries.length, limits);
    at = block.end;
  }
};

interface Rar5Block {
  readonly type: number;
  readonly flags: number;
  readonly fields: Fields;
  readonly extra: Buffer;
  readonly dataAt: number;
  readonly dataBytes: number;
  readonly end: number;
}

const readBlock = async (window: ReturnType<typeof windowOver>, fileBytes: number, at: number): Promise<Rar5Block> => {
  if (at >= fileBytes) throw damagedRar(); // without its end
  const start = await window(at, BEFORE_HEADER_BYTES);
  const before = fieldsOf(start);
  const checksum = before.u32();
  const size = varint(before);
  const headerAt = at + before.at;
  if (size > MAX_HEADER_BYTES || headerAt + size > fileBytes) throw damagedRar();
  const header = Buffer.from(await window(headerAt, size));
  if (crc32(header, crc32(start.subarray(4, before.at))) !== checksum) throw damagedRar();
  const fields = fieldsOf(header);
  const type = varint(fields);
  const flags = varint(fields);
  const extraBytes = (flags & BLOCK.hasExtra) === 0 ? 0 : varint(fields);
  const dataBytes = (flags & BLOCK.hasData) === 0 ? 0 : varint(fields);
  const dataAt = headerAt + size;
  if (extraBytes > size || dataAt + dataBytes > fileBytes) throw damagedRar();
  return { type, flags, fields, extra: header.subarray(size - extraBytes), dataAt, dataBytes, end: dataAt + dataBytes };
};

const fileFrom = ({ fields, extra: extraBytes, dataAt, dataBytes }: Rar5Block): RarEntry => {
  const flags = varint(fields);
  const size = varint(fields);
  const attributes = varint(fields);
  const seconds = (flags & FILE.hasTime) === 0 ? undefined : fields.u32();
  const checksum = (flags & FILE.hasCrc) === 0 ? undefined : fields.u32();
  const compression = varint(fields);
  const isFromUnix = varint(fields) === UNIX;
  const rawName = fields.take(varint(fields));
  const extra = readExtra(extraBytes);
  const method = (compression >> 7) & 7;
  const checks = { ...(checksum !== undefined && { crc32: checksum }), ...(extra.blake2sp !== undefined && { blake2sp: extra.blake2sp }) };
  const unreadable =
    whyUnreadable(flags, compression, extra) ?? (method > 0 && size > 0 && Object.keys(checks).length === 0 ? UNCHECKED : undefined);
  return {
    name: `${shownBytes(rawName)}${extra.version === undefined ? '' : `;${extra.version}`}`,
    otherNames: [],
    isMisencoded: !isUtf8(rawName) || extra.isMisencoded,
    ...kindOf(flags, isFromUnix ? attributes : 0, extra),
    // A link states the size of what it leads to.
    size: extra.redirection === undefined ? size : 0,
    packedSize: dataBytes,
    mtimeMs: extra.mtimeMs ?? (seconds === undefined ? undefined : seconds * 1000),
    mode: isFromUnix ? attributes & 0o7777 : undefined,
    ...(extra.target !== undefined && { linkTarget: extra.target }),
    checks,
    ...(unreadable !== undefined && { unreadable }),
    dataAt,
    isStored: method === 0,
    isSolid: (compression & 0x40) !== 0,
    packing: { kind: 'new', compression },
  };
};

const REDIRECTIONS: ReadonlyMap<number, Pick<RarEntry, 'kind' | 'about'>> = new Map([
  [1, { kind: 'symlink' }],
  [2, { kind: 'symlink' }],
  [3, { kind: 'special', about: 'a junction of Windows' }],
  [4, { kind: 'hardlink' }],
  // The same content as an earlier file, which is what a hard link is to us.
  [5, { kind: 'hardlink' }],
]);

const kindOf = (flags: number, mode: number, { redirection }: Rar5Extra): Pick<RarEntry, 'kind' | 'about'> => {
  if (redirection !== undefined) return REDIRECTIONS.get(redirection) ?? { kind: 'special', about: 'of an unknown kind' };
  if ((flags & FILE.dir) !== 0) return { kind: 'dir' };
  const byMode = kindByMode(mode);
  return byMode === undefined || byMode.kind === 'dir' || byMode.kind === 'symlink' ? { kind: 'file' } : byMode;
};

const whyUnreadable = (flags: number, compression: number, { isEncrypted }: Rar5Extra): string | undefined => {
  if (isEncrypted) return 'is encrypted, which is not supported for rar';
  if ((flags & FILE.unknownSize) !== 0) return 'does not tell its size';
  if ((compression & 0x3f) !== 0 || (compression >> 7) % 8 > 5) return 'is packed in a way that only a newer program understands';
  const windowBytes = 128 * 1024 * 2 ** ((compression >> 10) & 0xf);
  return (compression >> 7) % 8 > 0 && windowBytes > MAX_WINDOW_BYTES ? `needs ${windowBytes} bytes of memory to be unpacked` : undefined;
};
