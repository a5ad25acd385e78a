import { type Filling, fillingOf, repeated } from './filling.ts';
import { bytesOf, type Kitchen, type RecipeEntry, type Value } from './recipe.ts';

const TYPEFLAGS: Readonly<Record<string, string>> = {
  file: '0',
  hardlink: '1',
  symlink: '2',
  chardev: '3',
  blockdev: '4',
  dir: '5',
  fifo: '6',
  pax: 'x',
  gnu_longname: 'L',
};
const BLOCK = 512;

/** A piece of a tar file: bytes, or a character many times. */
export type TarPiece = Buffer | { readonly character: string; readonly count: number };

/** Writes a tar file byte by byte; nothing in it needs to make sense. Large fillings are left as pieces. */
export const tarPieces = (entries: readonly RecipeEntry[], kitchen: Kitchen): TarPiece[] => [
  ...entries.flatMap((entry) => pieces(entry, kitchen)),
  Buffer.alloc(2 * BLOCK),
];

/** A tar file in memory. */
export const buildTar = (entries: readonly RecipeEntry[], kitchen: Kitchen): Buffer =>
  Buffer.concat(tarPieces(entries, kitchen).map((piece) => (Buffer.isBuffer(piece) ? piece : Buffer.alloc(piece.count, piece.character))));

const pieces = (entry: RecipeEntry, kitchen: Kitchen): TarPiece[] => {
  const content = contentOf(entry, kitchen);
  const padding = Buffer.alloc((BLOCK - (content.size % BLOCK)) % BLOCK);
  const filled: TarPiece = entry.fill === undefined ? content.stored() : { character: entry.fill[0], count: entry.fill[1] };
  const name = bytesOf(entry.type === 'gnu_longname' ? '././@LongLink' : entry.type === 'pax' ? 'PaxHeader' : entry.name, kitchen);
  if (name.byteLength <= 100) return [header(entry, name, content.size, kitchen), filled, padding];
  // A name that does not fit goes before its entry, as pax does it.
  return [
    ...pieces({ type: 'pax', records: { path: { hex: name.toString('hex') } } }, kitchen),
    header(entry, name.subarray(0, 100), content.size, kitchen),
    filled,
    padding,
  ];
};

const contentOf = (entry: RecipeEntry, kitchen: Kitchen): Filling => {
  if (entry.type === 'pax')
    return fillingOf(Buffer.concat(Object.entries(entry.records ?? {}).map(([key, value]) => record(key, value, kitchen))));
  if (entry.type === 'gnu_longname') return fillingOf(Buffer.concat([bytesOf(entry.value, kitchen), Buffer.alloc(1)]));
  return entry.fill === undefined ? fillingOf(bytesOf(entry.data, kitchen)) : repeated(...entry.fill);
};

const record = (key: string, value: Value, kitchen: Kitchen): Buffer => {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), bytesOf(value, kitchen), Buffer.from('\n')]);
  let length = rest.byteLength;
  while (String(length).length + rest.byteLength !== length) length = String(length).length + rest.byteLength;
  return Buffer.concat([Buffer.from(String(length)), rest]);
};

const header = (entry: RecipeEntry, name: Buffer, size: number, kitchen: Kitchen): Buffer => {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => Buffer.from(`${value.toString(8).padStart(digits, '0')}\0`);
  const put = (bytes: Buffer, at: number) => void bytes.copy(block, at);
  put(name, 0);
  put(octal(Number.parseInt(entry.mode ?? (entry.type === 'dir' ? '755' : '644'), 8), 7), 100);
  put(octal(entry.uid ?? 0, 7), 108);
  put(octal(entry.gid ?? 0, 7), 116);
  put(sizeField(entry.size_field) ?? octal(size, 11), 124);
  put(mtimeField(entry.mtime), 136);
  put(Buffer.from(entry.typeflag ?? TYPEFLAGS[entry.type] ?? '0'), 156);
  put(bytesOf(entry.target, kitchen).subarray(0, 100), 157);
  put(Buffer.from('ustar\x0000'), 257);
  put(Buffer.from(entry.uname ?? ''), 265);
  if (entry.major !== undefined) put(octal(entry.major, 7), 329);
  if (entry.minor !== undefined) put(octal(entry.minor, 7), 337);
  block.fill(' ', 148, 156);
  const sum = entry.checksum ?? block.reduce((total, byte) => total + byte, 0);
  put(Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
};

const sizeField = (field: string | undefined): Buffer | undefined => {
  if (field === 'base256:-1') return Buffer.alloc(12, 0xff);
  return field === undefined ? undefined : Buffer.from(field);
};

/** Times beyond the octal field are written in binary. */
const mtimeField = (iso = '2024-01-02T03:04:05Z'): Buffer => {
  const seconds = Math.floor(new Date(iso).getTime() / 1000);
  if (seconds < 8 ** 11) return Buffer.from(`${seconds.toString(8).padStart(11, '0')}\0`);
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(BigInt(seconds), 4);
  field[0] = 0x80;
  return field;
};
