import type { ByteSource } from './byte-source.ts';
import type { Compression } from './compress/compression.ts';
import { unpackedFile } from './compress/unpacked-file.ts';
import { counted } from './counted.ts';
import { createMeter } from './limits.ts';
import type { OpenArchive, OpenOptions } from './open-archive.ts';

/** A compressed file that is no tar archive, as an archive of one entry; only unpacking it tells its size. */
export const openBare = async (
  source: ByteSource,
  compression: Compression,
  { name, ...options }: OpenOptions & { readonly name: string },
): Promise<OpenArchive> => {
  const { limits } = options;
  const content = () => counted(unpackedFile(source, compression, options), createMeter({ maxBytes: limits.maxBytes }).produced);
  let size = 0;
  for await (const chunk of content()) size += chunk.byteLength;
  const entries = [{ name, otherNames: [], isMisencoded: false, kind: 'file', size, mtimeMs: undefined, mode: undefined } as const];
  return {
    entries,
    examine: async () => entries,
    read: (wanted, take) => (wanted.includes(0) ? take(0, content()) : Promise.resolve()),
  };
};
