import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Done, ownBuffers } from '../../../workers/task.ts';
import { type Bits, bitsOf, joinBits } from './bits.ts';
import { bitsAt, END_MARK, MARK_BITS } from './marks.ts';

/** A block, and a buffer that is free for its content. */
export interface BlockOrder {
  readonly bits: Bits;
  readonly spare: ArrayBuffer | undefined;
}

/** The content; or the bits again where they are no whole block, because they go on in the next segment. */
export type UnpackedBlock =
  | { readonly kind: 'content'; readonly content: Uint8Array; readonly checksum: number }
  | { readonly kind: 'part'; readonly bits: Bits };

/** A block of runs can hold fifty times its nominal size. */
const CONTENT_SIZES = [1 << 20, 8 << 20, 48 << 20];

/** Unpacks one block: a task, because it takes long enough to hold up the event loop. */
export const unpackBlock = async ({ bits, spare }: BlockOrder): Promise<Done<UnpackedBlock>> => {
  const checksum = bitsAt(bits.bytes, MARK_BITS, 32);
  // The only block of a file: then the check sum of the file is its own.
  const { bytes: file } = joinBits([bitsOf(0x425a6839n, 32), bits, bitsOf(END_MARK, MARK_BITS), bitsOf(checksum, 32)]);
  const unpacked = await unpackFile(file);
  if (unpacked === undefined) return { value: { kind: 'part', bits }, transfer: ownBuffers(bits.bytes) };
  const fits = spare !== undefined && unpacked.byteLength <= spare.byteLength;
  const content = fits ? new Uint8Array(spare, 0, unpacked.byteLength) : unpacked;
  if (fits) content.set(unpacked);
  return { value: { kind: 'content', content, checksum: Number(checksum) }, transfer: ownBuffers(content) };
};

/** By an address that no bundler follows: it would stop at the file that the package loads. */
const load = async () => {
  const { href } = pathToFileURL(createRequire(import.meta.url).resolve('@foxglove/wasm-bz2'));
  const { default: bzip2 }: { readonly default: typeof import('@foxglove/wasm-bz2') } = await import(href);
  return bzip2.init();
};
/** One decoder for each thread. */
let loaded: ReturnType<typeof load> | undefined;

const unpackFile = async (file: Uint8Array): Promise<Uint8Array | undefined> => {
  loaded ??= load();
  const bzip2 = await loaded;
  for (const size of CONTENT_SIZES) {
    try {
      return bzip2.decompress(file, size);
    } catch (fault) {
      if (!(fault instanceof Error && fault.message.includes('OUTBUFF_FULL'))) return undefined;
    }
  }
  return undefined;
};
