// The headers of rar archives before version 5.

import { crc32 } from '../../../hash/crc32.ts';
import { type ByteSource, windowOver } from '../../byte-source.ts';
import { dosTimeMs } from '../../dos-time.ts';
import { type ArchiveLimits, demandEntries } from '../../limits.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { damagedRar, encryptedHeaders, kindByMode, type RarEntry, severalVolumes } from './rar-entry.ts';
import { readRar4Name } from './rar4-name.ts';

const MARK_BYTES = 7;
const HEADER_BYTES = 7;
const TYPE = { main: 0x73, file: 0x74, service: 0x7a, end: 0x7b };
const BLOCK_HAS_DATA = 0x8000;
const MAIN = { volume: 0x01, encrypted: 0x80 };
const FILE = { splitBefore: 0x01, splitAfter: 0x02, encrypted: 0x04, solid: 0x10, window: 0xe0, dir: 0xe0, large: 0x100, wide: 0x200 };
const MORE_VOLUMES = 0x01;
const UNIX = 3;
const DOS_DIRECTORY = 0x10;
const STORED = 0x30;
const BEST = 0x35;
/** Archives of version 3 and 4; what is packed by an older program needs another decoder. */
const OLDEST_PACKER = 29;

/** All entries, in their order; whatever could not be extracted as a whole is refused here. */
export const readRar4 = async (source: ByteSource, limits: ArchiveLimits): Promise<RarEntry[]> => {
  const entries: RarEntry[] = [];
  const window = windowOver(source);
  for (let at = MARK_BYTES; ; ) {
    const block = await readBlock(window, source.size, at);
    const { type, flags } = block;
    if (type === TYPE.end) {
      if ((flags & MORE_VOLUMES) !== 0) throw severalVolumes();
      return entries;
    }
    if (type === TYPE.main && (flags & MAIN.encrypted) !== 0) throw encryptedHeaders('rar');
    if (type === TYPE.main && (flags & MAIN.volume) !== 0) throw severalVolumes();
    if (type === TYPE.file) entries.push(fileFrom(block));
    demandEntries(entries.length, limits);
    at = block.end;
  }
};

interface Rar4Block {
  readonly type: number;
  readonly flags: number;
  /** After the fields that all blocks have. */
  readonly fields: Fields;
  readonly dataAt: number;
  readonly dataBytes: number;
  readonly end: number;
}

const readBlock = async (window: ReturnType<typeof windowOver>, fileBytes: number, at: number): Promise<Rar4Block> => {
  if (at >= fileBytes) throw damagedRar(); // without its end
  const start = fieldsOf(await window(at, HEADER_BYTES));
  const [checksum, type, flags, size] = [start.u16(), start.u8(), start.u16(), start.u16()];
  if (size < HEADER_BYTES || at + size > fileBytes) throw damagedRar();
  const header = Buffer.from(await window(at, size));
  if ((crc32(header.subarray(2)) & 0xffff) !== checksum) throw damagedRar();
  const dataBytes = dataBytesOf(header, type, flags);
  const dataAt = at + size;
  if (dataAt + dataBytes > fileBytes) throw damagedRar();
  return { type, flags, fields: fieldsOf(header.subarray(HEADER_BYTES)), dataAt, dataBytes, end: dataAt + dataBytes };
};

/** How much follows the header; large files have the upper half of the number further on. */
const dataBytesOf = (header: Buffer, type: number, flags: number): number => {
  if ((flags & BLOCK_HAS_DATA) === 0 || header.byteLength < HEADER_BYTES + 4) return 0;
  const lower = header.readUInt32LE(HEADER_BYTES);
  const isLarge = (type === TYPE.file || type === TYPE.service) && (flags & FILE.large) !== 0 && header.byteLength >= 36;
  return lower + (isLarge ? header.readUInt32LE(32) * 2 ** 32 : 0);
};

const fileFrom = ({ flags, fields, dataAt, dataBytes }: Rar4Block): RarEntry => {
  if ((flags & (FILE.splitBefore | FILE.splitAfter)) !== 0) throw severalVolumes();
  fields.u32(); // the packed size, known already
  const lowerSize = fields.u32();
  const isFromUnix = fields.u8() === UNIX;
  const checksum = fields.u32();
  const [time, date] = [fields.u16(), fields.u16()];
  const [packer, method, nameBytes, attributes] = [fields.u8(), fields.u8(), fields.u16(), fields.u32()];
  const isLarge = (flags & FILE.large) !== 0;
  if (isLarge) fields.u32();
  const size = lowerSize + (isLarge ? fields.u32() * 2 ** 32 : 0);
  const kind = kindOf(flags, attributes, isFromUnix);
  const unreadable = kind.kind === 'dir' ? undefined : whyUnreadable(flags, packer, method);
  return {
    ...readRar4Name(fields.take(nameBytes), { isWide: (flags & FILE.wide) !== 0, isFromUnix }),
    otherNames: [],
    ...kind,
    size,
    packedSize: dataBytes,
    mtimeMs: dosTimeMs(date, time),
    mode: isFromUnix ? attributes & 0o7777 : undefined,
    checks: { crc32: checksum },
    ...(unreadable !== undefined && { unreadable }),
    dataAt,
    isStored: method === STORED,
    isSolid: false,
    packing: { kind: 'old', packer, method, window: flags & FILE.window, checksum },
  };
};

const kindOf = (flags: number, attributes: number, isFromUnix: boolean): Pick<RarEntry, 'kind' | 'about'> => {
  if ((flags & FILE.dir) === FILE.dir) return { kind: 'dir' };
  if (isFromUnix) return kindByMode(attributes) ?? { kind: 'file' };
  return { kind: (attributes & DOS_DIRECTORY) === 0 ? 'file' : 'dir' };
};

const whyUnreadable = (flags: number, packer: number, method: number): string | undefined => {
  if ((flags & FILE.encrypted) !== 0) return 'is encrypted, which is not supported for rar';
  if (method === STORED) return undefined;
  if ((flags & FILE.solid) !== 0) return 'is packed together with others (solid), which is not supported for older rar archives';
  if (packer < OLDEST_PACKER) return 'is packed in a way that only older programs used';
  return method > BEST ? 'is packed in a way that only a newer program understands' : undefined;
};
