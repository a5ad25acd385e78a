// Sparse files as GNU tar writes them: only what is not zero lies in the archive, with a map of where it belongs.
import { broken } from '../broken.ts';
import type { ForwardBytes } from '../forward-bytes.ts';
import { BLOCK_BYTES, numberAt } from './header.ts';

/** Where the stored bytes of a sparse file belong; the rest of it is zeros. */
export interface SparseMap {
  readonly size: number;
  readonly regions: readonly { readonly at: number; readonly bytes: number }[];
}

/** How many regions a file may have; keeps the memory for the map in proportion. */
const MAX_REGIONS = 100_000;
const REGION_BYTES = 24;
const IN_HEADER = { at: 386, regions: 4, more: 482, size: 483 };
const IN_BLOCK = { regions: 21, more: 504 };
const ZEROS = Buffer.alloc(64 * 1024);

/** The map of the oldest form, in the header itself and in blocks after it. */
export const readOldMap = async (bytes: ForwardBytes, header: Buffer): Promise<SparseMap> => {
  const size = numberAt(header, IN_HEADER.size, 12);
  const numbers = regionsAt(header, IN_HEADER.at, IN_HEADER.regions);
  for (let hasMore = header[IN_HEADER.more] === 1; hasMore; ) {
    const block = await bytes.take(BLOCK_BYTES);
    if (block.byteLength < BLOCK_BYTES) throw broken('ends in the middle of a map of a sparse file');
    numbers.push(...regionsAt(block, 0, IN_BLOCK.regions));
    if (numbers.length > 2 * MAX_REGIONS) throw badMap();
    hasMore = block[IN_BLOCK.more] === 1;
  }
  return mapFrom(size, numbers);
};

/** Pairs of offset and length; a field that is empty ends them. */
const regionsAt = (block: Buffer, at: number, most: number): number[] => {
  const numbers: number[] = [];
  for (let index = 0; index < most; index += 1) {
    const from = at + index * REGION_BYTES;
    if (block[from] === 0 && block[from + 12] === 0) break;
    numbers.push(numberAt(block, from, 12) ?? Number.NaN, numberAt(block, from + 12, 12) ?? Number.NaN);
  }
  return numbers;
};

/** Whether an extended header announces a sparse file. */
export const announcesSparse = (pax: ReadonlyMap<string, Buffer> | undefined): pax is ReadonlyMap<string, Buffer> =>
  pax !== undefined && [...pax.keys()].some((key) => key.startsWith('GNU.sparse.'));

/** The map of the newer forms, and how many bytes of the entry it took: none where it stood in the extended header. */
export const readPaxMap = async (
  bytes: ForwardBytes,
  pax: ReadonlyMap<string, Buffer>,
): Promise<{ readonly map: SparseMap; readonly taken: number }> => {
  const text = (key: string) => pax.get(`GNU.sparse.${key}`)?.toString('latin1');
  const size = decimal(text('realsize') ?? text('size'));
  const version = `${text('major') ?? '0'}.${text('minor') ?? '?'}`;
  if (version === '1.0') {
    const { numbers, taken } = await readMapBlocks(bytes);
    return { map: mapFrom(size, numbers), taken };
  }
  if (text('major') !== undefined && text('major') !== '0') throw broken('has a sparse file of a version that is not supported');
  const listed = text('map') ?? '';
  return { map: mapFrom(size, listed === '' ? [] : listed.split(',').map(decimal)), taken: 0 };
};

/** Before the content: a count and then pairs, a decimal number in each line, filled up to whole blocks. */
const readMapBlocks = async (bytes: ForwardBytes): Promise<{ readonly numbers: number[]; readonly taken: number }> => {
  const numbers: number[] = [];
  let text = '';
  let taken = 0;
  for (let wanted = 1; numbers.length < wanted; ) {
    const block = await bytes.take(BLOCK_BYTES);
    if (block.byteLength < BLOCK_BYTES) throw broken('ends in the middle of a map of a sparse file');
    taken += block.byteLength;
    const lines = (text + block.toString('latin1')).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (numbers.length >= wanted) break;
      numbers.push(decimal(line));
      wanted = 1 + 2 * (numbers[0] ?? 0);
      if (!(wanted <= 1 + 2 * MAX_REGIONS)) throw badMap();
    }
    if (lines.length === 0) throw badMap();
  }
  return { numbers: numbers.slice(1), taken };
};

const decimal = (text: string | undefined): number => (text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN);

/** Regions that lie in order inside the file, and nothing else. */
const mapFrom = (size: number | undefined, numbers: readonly number[]): SparseMap => {
  if (size === undefined || !Number.isSafeInteger(size) || size < 0 || numbers.length % 2 !== 0 || numbers.length > 2 * MAX_REGIONS)
    throw badMap();
  const regions: { at: number; bytes: number }[] = [];
  let end = 0;
  for (let index = 0; index < numbers.length; index += 2) {
    const [at = Number.NaN, bytes = Number.NaN] = [numbers[index], numbers[index + 1]];
    if (!(at >= end && bytes >= 0 && at + bytes <= size)) throw badMap();
    end = at + bytes;
    regions.push({ at, bytes });
  }
  return { size, regions };
};

export const badMap = () => broken('has a sparse file whose map makes no sense');

/** How many bytes of a sparse file lie in the archive. */
export const storedBytes = ({ regions }: SparseMap): number => regions.reduce((sum, { bytes }) => sum + bytes, 0);

/** The whole content of a sparse file; `read` gives the next stored bytes. */
export async function* expanded(
  { size, regions }: SparseMap,
  read: (bytes: number) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let position = 0;
  for (const { at, bytes } of regions) {
    yield* zeros(at - position);
    if (bytes > 0) yield* read(bytes);
    position = at + bytes;
  }
  yield* zeros(size - position);
}

function* zeros(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= ZEROS.byteLength) yield ZEROS.subarray(0, Math.min(left, ZEROS.byteLength));
}
