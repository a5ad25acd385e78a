import { randomBytes } from 'node:crypto';
import { CryptoException } from '../../core/errors.ts';
import type { Reader, Writer } from '../../core/files.ts';
import { chunkCipher } from './chunk-cipher.ts';
import { chunksFor, createHeader, type Header, sealedBytes, TAG_BYTES } from './container.ts';
import { inLanes } from './lanes.ts';

/** The header of a file to be written, with a nonce that was never used. */
export const newHeader = (associatedData: Uint8Array): Header => createHeader({ nonce: randomBytes(12), associatedData });

export interface EncryptOptions {
  readonly key: Uint8Array;
  readonly header: Header;
  /** Told the bytes of each chunk that is done; may throw to stop. */
  onBytes(bytes: number): void;
}

/** Encrypts everything a reader has; gives the size of what was written. */
export const encrypt = async (
  source: Pick<Reader, 'entry' | 'readAt'>,
  target: Pick<Writer, 'writeAt'>,
  { key, header, onBytes }: EncryptOptions,
): Promise<number> => {
  const { size, path } = source.entry;
  const { chunkBytes } = header;
  const count = chunksFor(size, chunkBytes);
  const cipher = chunkCipher(key, header);
  await target.writeAt(header.bytes, 0);
  await inLanes(count, Math.min(size, chunkBytes), async (index, buffer) => {
    const start = index * chunkBytes;
    const chunk = buffer.subarray(0, Math.min(chunkBytes, size - start));
    if ((await source.readAt(chunk, start)) < chunk.length) throw shrunk(path);
    const { ciphertext, tag } = cipher.seal(chunk, index, index === count - 1);
    const position = header.bytes.length + index * (chunkBytes + TAG_BYTES);
    await target.writeAt(ciphertext, position);
    await target.writeAt(tag, position + ciphertext.length);
    onBytes(chunk.length);
  });
  return sealedBytes(size, header);
};

const shrunk = (path: string) =>
  new CryptoException(`${path} became shorter while it was encrypted; try again when nobody writes to it.`, {
    context: { path },
    retryable: true,
  });
