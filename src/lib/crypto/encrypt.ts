import { randomBytes } from 'node:crypto';
import type { Reader, Writer } from '../../core/files.ts';
import { chunkCipher } from './chunk-cipher.ts';
import { createHeader, type Header, sealedBytes, shrunk, TAG_BYTES } from './container.ts';
import { cipherInThreads } from './in-threads.ts';
import { inLanes } from './lanes.ts';
import { chunkAt, layoutOf, longestSealed } from './layout.ts';

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
  source: Pick<Reader, 'entry' | 'fd' | 'readAt'>,
  target: Pick<Writer, 'writeAt' | 'share'>,
  { key, header, onBytes }: EncryptOptions,
): Promise<number> => {
  const { size, path } = source.entry;
  const layout = layoutOf(header, size);
  const bytes = sealedBytes(size, header);
  await target.writeAt(header.bytes, 0);
  const ports = { source: { fd: source.fd, path }, target };
  if (await cipherInThreads({ mode: 'seal', key, header, layout, ...ports, bytes: bytes - header.bytes.length, onBytes })) return bytes;
  const cipher = chunkCipher(key, header);
  await inLanes(layout.count, longestSealed(layout), async (index, buffer) => {
    const { plainAt, plainBytes, sealedAt, isLast } = chunkAt(layout, index);
    if ((await source.readAt(buffer.subarray(0, plainBytes), plainAt)) < plainBytes) throw shrunk(path);
    const chunk = buffer.subarray(0, plainBytes + TAG_BYTES);
    cipher.seal(chunk, index, isLast);
    await target.writeAt(chunk, sealedAt);
    onBytes(plainBytes);
  });
  return bytes;
};
