import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { CryptoException } from '../../core/errors.ts';
import { type Header, TAG_BYTES } from './container.ts';

/** Encrypts and decrypts the chunks of one file. */
export interface ChunkCipher {
  /** The ciphertext and the tag of a chunk. */
  seal(chunk: Uint8Array, index: number, isLast: boolean): { readonly ciphertext: Buffer; readonly tag: Buffer };
  /** The plaintext of a chunk with its tag behind it; throws where it was changed or belongs elsewhere. */
  open(sealed: Uint8Array, index: number, isLast: boolean): Buffer;
}

const KEY_BYTES = 32;

/**
 * The cipher of one file. Its key is derived from the caller's key and the whole header, so that no two files share nonces and a
 * changed header opens nothing; the nonce of a chunk is its number and whether it is the last, so that chunks cannot be moved,
 * left out or added.
 */
export const chunkCipher = (key: Uint8Array, { nonce: salt, bytes }: Header): ChunkCipher => {
  const info = createHash('sha256').update(bytes).digest();
  const fileKey = new Uint8Array(hkdfSync('sha256', key, salt, info, KEY_BYTES));
  return {
    seal(chunk, index, isLast) {
      const cipher = createCipheriv('aes-256-gcm', fileKey, chunkNonce(index, isLast));
      const ciphertext = cipher.update(chunk);
      cipher.final();
      return { ciphertext, tag: cipher.getAuthTag() };
    },
    open(sealed, index, isLast) {
      const end = sealed.byteLength - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', fileKey, chunkNonce(index, isLast), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(sealed.subarray(end));
      const chunk = decipher.update(sealed.subarray(0, end));
      genuine(() => decipher.final());
      return chunk;
    },
  };
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
