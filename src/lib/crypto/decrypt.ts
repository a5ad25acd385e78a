import { type CipherGCMTypes, createDecipheriv } from 'node:crypto';
import type { Reader, Writer } from '../../core/files.ts';
import { chunkCipher, genuine } from './chunk-cipher.ts';
import { damaged, FIXED_BYTES, type Header, headerBytes, openedBytes, parseHeader, TAG_BYTES } from './container.ts';
import { cipherInThreads } from './in-threads.ts';
import { inLanes } from './lanes.ts';
import { chunkAt, layoutOf, longestSealed } from './layout.ts';

export interface DecryptOptions {
  readonly key: Uint8Array;
  /** Told the bytes of each chunk that is done; may throw to stop. */
  onBytes(bytes: number): void;
}

type Source = Pick<Reader, 'entry' | 'fd' | 'readAt' | 'stream'>;
type Target = Pick<Writer, 'writeAt' | 'share'>;

/** Decrypts a file of either version; gives the size of the plaintext. What was written counts only if this does not throw. */
export const decrypt = async (source: Source, target: Target, options: DecryptOptions): Promise<number> => {
  const header = await readHeader(source);
  return header.version === 1 ? decryptWhole(source, target, header, options) : decryptChunks(source, target, header, options);
};

const readHeader = async (source: Source): Promise<Header> => {
  const fixed = Buffer.alloc(FIXED_BYTES);
  const length = headerBytes(fixed.subarray(0, await source.readAt(fixed, 0)));
  const bytes = Buffer.alloc(length);
  return parseHeader(bytes.subarray(0, await source.readAt(bytes, 0)));
};

const decryptChunks = async (source: Source, target: Target, header: Header, { key, onBytes }: DecryptOptions): Promise<number> => {
  const size = openedBytes(source.entry.size, header);
  const layout = layoutOf(header, size);
  const ports = { source: { fd: source.fd, path: source.entry.path }, target };
  if (await cipherInThreads({ mode: 'open', key, header, layout, ...ports, bytes: size, onBytes })) return size;
  const cipher = chunkCipher(key, header);
  await inLanes(layout.count, longestSealed(layout), async (index, buffer) => {
    const { plainAt, plainBytes, sealedAt, isLast } = chunkAt(layout, index);
    const sealed = buffer.subarray(0, plainBytes + TAG_BYTES);
    if ((await source.readAt(sealed, sealedAt)) < sealed.length) throw damaged();
    const chunk = cipher.open(sealed, index, isLast);
    await target.writeAt(chunk, plainAt);
    onBytes(chunk.length);
  });
  return size;
};

/** The older version: one ciphertext, whose tag at the end vouches for all of it. */
const decryptWhole = async (
  source: Source,
  target: Target,
  { nonce, associatedData, bytes }: Header,
  { key, onBytes }: DecryptOptions,
): Promise<number> => {
  const end = source.entry.size - TAG_BYTES;
  if (end < bytes.length) throw damaged();
  const tag = Buffer.alloc(TAG_BYTES);
  if ((await source.readAt(tag, end)) < TAG_BYTES) throw damaged();
  const decipher = createDecipheriv(CIPHERS.get(key.byteLength) ?? 'aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData);
  decipher.setAuthTag(tag);
  let size = 0;
  for await (const chunk of source.stream({ start: bytes.length, end })) {
    const plain = decipher.update(chunk);
    await target.writeAt(plain, size);
    size += plain.length;
    onBytes(plain.length);
  }
  genuine(() => decipher.final());
  return size;
};

/** By the bytes of the key. */
const CIPHERS: ReadonlyMap<number, CipherGCMTypes> = new Map([
  [16, 'aes-128-gcm'],
  [24, 'aes-192-gcm'],
  [32, 'aes-256-gcm'],
]);
