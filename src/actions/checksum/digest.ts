import { integer, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileNotExistsException } from '../../core/errors.ts';
import { openHasher } from '../../lib/hash/hasher.ts';

export const pathArg = path('The file.', { role: 'reads', wrong: FileNotExistsException });
export const algorithmArg = text('The digest: any of OpenSSL, blake3, xxh3, xxh128 or crc32c.', { default: 'sha256' });
export const chunkArg = integer('Bytes read at once; the digest does not depend on it.', {
  default: 1_048_576,
  min: 1,
  max: 64 * 1_048_576,
});

/** The digest of a file, read in chunks. */
export const digestOf = async ({ files, signal }: Context, file: string, algorithm: string, chunkBytes: number): Promise<string> => {
  const hasher = await openHasher(algorithm);
  await using reader = await files.open(file);
  for await (const chunk of reader.stream({ chunkBytes })) {
    signal.throwIfAborted();
    hasher.update(chunk);
  }
  return hasher.digest();
};
