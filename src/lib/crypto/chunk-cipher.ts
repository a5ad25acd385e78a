import { type CipherGCM, createCipheriv, createDecipheriv, createHash, type DecipherGCM, hkdfSync } from 'node:crypto';
import { CryptoException } from '../../core/errors.ts';
import { TAG_BYTES } from './container.ts';

/** Encrypts and decrypts the chunks of one file. */
export interface ChunkCipher {
  /** Encrypts a chunk where it lies; its tag takes the last bytes, which it leaves free. */
  seal(chunk: Buffer, index: number, isLast: boolean): void;
  /** Decrypts a chunk with its tag behind it where it lies and gives the plaintext; throws where it was changed or belongs elsewhere. */
  open(sealed: Buffer, index: number, isLast: boolean): Buffer;
}

const KEY_BYTES = 32;

/**
 * The cipher of one file. Its key is derived from the caller's key and the whole header, so that no two files share nonces and a
 * changed header opens nothing; the nonce of a chunk is its number and whether it is the last, so that chunks cannot be moved,
 * left out or added.
 */
export const chunkCipher = (
  key: Uint8Array,
  { nonce: salt, bytes }: { readonly nonce: Uint8Array; readonly bytes: Uint8Array },
): ChunkCipher => {
  const info = createHash('sha256').update(bytes).digest();
  const fileKey = new Uint8Array(hkdfSync('sha256', key, salt, info, KEY_BYTES));
  return {
    seal(chunk, index, isLast) {
      const end = chunk.byteLength - TAG_BYTES;
      const cipher = createCipheriv('aes-256-gcm', fileKey, chunkNonce(index, isLast));
      inPlace(cipher, chunk.subarray(0, end));
      cipher.final();
      cipher.getAuthTag().copy(chunk, end);
    },
    open(sealed, index, isLast) {
      const end = sealed.byteLength - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', fileKey, chunkNonce(index, isLast), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(sealed.subarray(end));
      const chunk = sealed.subarray(0, end);
      inPlace(decipher, chunk);
      genuine(() => decipher.final());
      return chunk;
    },
  };
};

/** Every update gives new memory. Pieces this small get memory that was used before; the system would have to clear more. */
const PIECE_BYTES = 64 * 1024;

const inPlace = (cipher: CipherGCM | DecipherGCM, bytes: Buffer): void => {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) cipher.update(bytes.subarray(at, at + PIECE_BYTES)).copy(bytes, at);
};

/** The end of a decryption, which succeeds only if nothing was changed and the key is right. */
export const genuine = (finish: () => unknown): void => {
  try {
    finish();
  } catch (fault) {
    throw new CryptoException('The key is not the one the file was encrypted with, or the file was changed; check both.', { cause: fault });
  }
};

const chunkNonce = (index: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
};
