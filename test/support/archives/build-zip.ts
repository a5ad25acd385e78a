import { crc32 } from 'node:zlib';
import { type Filling, fillingOf, repeated } from './filling.ts';
import { bytesOf, type Kitchen, type RecipeEntry, type Value } from './recipe.ts';

const METHODS: Readonly<Record<string, number>> = { deflate: 8 };
const TYPE_BITS: Readonly<Record<string, number>> = { dir: 0o040000, symlink: 0o120000, file: 0 };

const u16 = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

interface Built {
  readonly local: Buffer;
  central(offset: number): Buffer;
}

/** Writes a zip file byte by byte; nothing in it needs to make sense. */
export const buildZip = (
  entries: readonly RecipeEntry[],
  kitchen: Kitchen,
  { comment = Buffer.alloc(0), wide = entries.length >= 0xffff } = {},
): Buffer => {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const built = buildEntry(entry, kitchen);
    locals.push(built.local);
    centrals.push(built.central(offset));
    offset += built.local.byteLength;
  }
  const directory = Buffer.concat(centrals);
  return Buffer.concat([...locals, directory, endOf({ count: entries.length, size: directory.byteLength, offset, comment, wide })]);
};

const endOf = ({
  count,
  size,
  offset,
  comment,
  wide,
}: {
  count: number;
  size: number;
  offset: number;
  comment: Buffer;
  wide: boolean;
}): Buffer => {
  const counted = u16(Math.min(count, 0xffff));
  const end = Buffer.concat([u32(0x06054b50), u16(0), u16(0), counted, counted, u32(size), u32(offset), u16(comment.byteLength), comment]);
  if (!wide) return end;
  const record = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45),
    u16(45),
    u32(0),
    u32(0),
    u64(count),
    u64(count),
    u64(size),
    u64(offset),
  ]);
  return Buffer.concat([record, u32(0x07064b50), u32(0), u64(offset + size), u32(1), end]);
};

const contentOf = (entry: RecipeEntry, kitchen: Kitchen): Filling => {
  if (entry.fill !== undefined) return repeated(...entry.fill);
  return fillingOf(bytesOf(entry.type === 'symlink' ? entry.target : entry.data, kitchen));
};

const hasUnicode = (name: Value | undefined): boolean => typeof name === 'string' && /[^\0-\x7f]/.test(name);

const buildEntry = (entry: RecipeEntry, kitchen: Kitchen): Built => {
  const content = contentOf(entry, kitchen);
  const method = typeof entry.method === 'number' ? entry.method : (METHODS[entry.method ?? ''] ?? 0);
  const data = method === 8 ? content.deflated() : content.stored();
  const flags =
    (entry.flags?.includes('encrypted') ? 1 : 0) |
    (entry.flags?.includes('strong') ? 0x40 : 0) |
    (entry.flags?.includes('utf8') || hasUnicode(entry.name) ? 0x800 : 0);
  const { date, time } = dosTime(entry.mtime);
  const size = entry.declared_size ?? content.size;
  const common = Buffer.concat([
    u16(flags),
    u16(method),
    u16(time),
    u16(date),
    u32(entry.crc ?? content.checksum),
    u32(data.byteLength),
    u32(size),
  ]);
  const name = bytesOf(entry.name, kitchen);
  const localName = entry.local_name === undefined ? name : bytesOf(entry.local_name, kitchen);
  const extra = Buffer.concat([
    ...(entry.extra_unicode_path === undefined ? [] : [unicodePath(name, bytesOf(entry.extra_unicode_path, kitchen))]),
    bytesOf(entry.extra, kitchen),
  ]);
  const localExtra = bytesOf(entry.local_extra, kitchen);
  const mode = (TYPE_BITS[entry.type] ?? 0) | Number.parseInt(entry.mode ?? (entry.type === 'dir' ? '755' : '644'), 8);
  return {
    local: Buffer.concat([
      u32(0x04034b50),
      u16(20),
      common,
      u16(localName.byteLength),
      u16(localExtra.byteLength),
      localName,
      localExtra,
      data,
    ]),
    central: (offset) =>
      Buffer.concat([
        u32(0x02014b50),
        u16((3 << 8) | 20),
        u16(20),
        common,
        u16(name.byteLength),
        u16(extra.byteLength),
        u16(0),
        u16(0),
        u16(0),
        u32(mode << 16),
        u32(offset),
        name,
        extra,
      ]),
  };
};

const unicodePath = (name: Buffer, other: Buffer): Buffer =>
  Buffer.concat([u16(0x7075), u16(5 + other.byteLength), Buffer.from([1]), u32(crc32(name)), other]);

const dosTime = (iso = '2024-01-02T03:04:06Z'): { date: number; time: number } => {
  const at = new Date(iso);
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107);
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
};

/** A bomb whose entries all unpack the same packed bytes: each local header is quoted by a stored block of the one before. */
export const buildOverlappingZip = ({ kernel_bytes, entries }: { readonly kernel_bytes: number; readonly entries: number }): Buffer => {
  const kernel = repeated('a', kernel_bytes);
  const data = kernel.deflated();
  const headers = Array.from({ length: entries }, (_, at) => Buffer.from(`f${at}`));
  const local = (name: Buffer, size: number, packed: number) =>
    Buffer.concat([
      u32(0x04034b50),
      u16(20),
      u16(0),
      u16(8),
      u16(0),
      u16(0x21),
      u32(0),
      u32(packed),
      u32(size),
      u16(name.byteLength),
      u16(0),
      name,
    ]);
  const lengths = headers.map((name) => 30 + name.byteLength);
  // From the last entry backwards: what an entry unpacks is the headers after it, quoted, and then the kernel.
  const described: { readonly size: number; readonly packed: number }[] = [];
  let size = kernel_bytes;
  let packed = data.byteLength;
  for (let at = entries - 1; at >= 0; at -= 1) {
    described[at] = { size, packed };
    size += lengths[at] ?? 0;
    packed += (lengths[at] ?? 0) + 5;
  }
  const parts: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [at, name] of headers.entries()) {
    const { size: own, packed: ownPacked } = described[at] ?? { size: 0, packed: 0 };
    const header = local(name, own, ownPacked);
    if (at > 0) {
      const quote = Buffer.concat([Buffer.from([0]), u16(header.byteLength), u16(~header.byteLength & 0xffff)]);
      parts.push(quote);
      offset += quote.byteLength;
    }
    centrals.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(20),
        u16(20),
        header.subarray(6, 26),
        u16(name.byteLength),
        u16(0),
        u16(0),
        u16(0),
        u16(0),
        u32(0),
        u32(offset),
        name,
      ]),
    );
    parts.push(header);
    offset += header.byteLength;
  }
  parts.push(data);
  offset += data.byteLength;
  const directory = Buffer.concat(centrals);
  return Buffer.concat([
    ...parts,
    directory,
    endOf({ count: entries, size: directory.byteLength, offset, comment: Buffer.alloc(0), wide: false }),
  ]);
};
