import type { OpenArchive } from '../../../src/lib/archive/open-archive.ts';
import { collect } from './memory.ts';

/** The contents of all files of an archive by name, as extracting reads them. */
export const contentsOf = async (archive: OpenArchive): Promise<Record<string, string>> => {
  const files = archive.entries.flatMap(({ kind }, index) => (kind === 'file' ? [index] : []));
  await archive.examine([...archive.entries.keys()]);
  const contents: Record<string, string> = {};
  await archive.read(files, async (index, content) => {
    contents[archive.entries[index]?.name ?? ''] = (await collect(content)).toString('latin1');
  });
  return contents;
};

/** The bytes with one bit changed. */
export const flipped = (bytes: Uint8Array, bit: number): Buffer => {
  const spoilt = Buffer.from(bytes);
  spoilt[bit >> 3] = (spoilt[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return spoilt;
};
