import { type CipherCCMTypes, type CipherGCMTypes, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { demandBytes, malformed } from '../wire/bytes.ts';
import { MAGIC } from '../wire/header.ts';

export type CipherName = CipherGCM | CipherCCM;
type CipherGCM = Extract<CipherGCMTypes, 'aes-128-gcm' | 'aes-256-gcm'>;
type CipherCCM = Extract<CipherCCMTypes, 'aes-128-ccm' | 'aes-256-ccm'>;

export const CIPHER_KEY_BYTES: Readonly<Record<CipherName, number>> = {
  'aes-128-gcm': 16,
  'aes-128-ccm': 16,
  'aes-256-gcm': 32,
  'aes-256-ccm': 32,
};

const TRANSFORM_BYTES = 52;
const TAG_AT = 4;
const NONCE_AT = 20;
const TAG_BYTES = 16;

/** Encrypts whole frames. */
export interface Sealer {
  /** A frame of these pieces, encrypted; the pieces themselves stay as they are. */
  seal(pieces: readonly Buffer[], sessionId: bigint): Buffer[];
  /** What is in an encrypted frame; one that was changed, or of another session, is refused. */
  open(frame: Buffer, sessionId: bigint): Buffer;
}

export const createSealer = (cipher: CipherName, sealingKey: Buffer, openingKey: Buffer): Sealer => {
  const { encrypt, decrypt, nonceBytes } = isGcm(cipher) ? gcm(cipher) : ccm(cipher);
  // A nonce must never come twice with one key: a counter behind a random beginning, and no key lives longer than its session.
  const nonce = randomBytes(16);
  nonce.fill(0, nonceBytes);
  let count = 0;
  return {
    seal(pieces, sessionId) {
      count += 1;
      const head = Buffer.alloc(TRANSFORM_BYTES);
      head.writeUInt32BE(MAGIC.sealed, 0);
      nonce.copy(head, NONCE_AT);
      head.writeUIntLE(count, NONCE_AT, 6);
      head.writeUInt32LE(
        pieces.reduce((sum, { byteLength }) => sum + byteLength, 0),
        36,
      );
      head.writeUInt16LE(1, 42);
      head.writeBigUInt64LE(sessionId, 44);
      const { sealed, tag } = encrypt(sealingKey, head.subarray(NONCE_AT, NONCE_AT + nonceBytes), head.subarray(NONCE_AT), pieces);
      tag.copy(head, TAG_AT);
      return [head, ...sealed];
    },
    open(frame, sessionId) {
      demandBytes(frame, TRANSFORM_BYTES, 'an encrypted message');
      if (frame.readUInt16LE(42) !== 1 || frame.readBigUInt64LE(44) !== sessionId)
        throw malformed('an encrypted message of another session');
      const content = frame.subarray(TRANSFORM_BYTES);
      if (frame.readUInt32LE(36) !== content.byteLength) throw malformed('an encrypted message of another length than it says');
      try {
        return decrypt(openingKey, {
          nonce: frame.subarray(NONCE_AT, NONCE_AT + nonceBytes),
          tag: frame.subarray(TAG_AT, TAG_AT + TAG_BYTES),
          beside: frame.subarray(NONCE_AT, TRANSFORM_BYTES),
          content,
        });
      } catch {
        throw malformed('an encrypted message that was changed on its way');
      }
    },
  };
};

interface Sealed {
  readonly nonce: Buffer;
  readonly tag: Buffer;
  readonly beside: Buffer;
  readonly content: Buffer;
}

interface Aead {
  readonly nonceBytes: number;
  encrypt(
    key: Buffer,
    nonce: Buffer,
    beside: Buffer,
    pieces: readonly Buffer[],
  ): { readonly sealed: readonly Buffer[]; readonly tag: Buffer };
  decrypt(key: Buffer, sealed: Sealed): Buffer;
}

const isGcm = (cipher: CipherName): cipher is CipherGCM => cipher.endsWith('gcm');

const gcm = (name: CipherGCM): Aead => ({
  nonceBytes: 12,
  encrypt(key, nonce, beside, pieces) {
    const cipher = createCipheriv(name, key, nonce).setAAD(beside);
    const sealed = pieces.map((piece) => cipher.update(piece));
    cipher.final();
    return { sealed, tag: cipher.getAuthTag() };
  },
  decrypt(key, { nonce, tag, beside, content }) {
    const decipher = createDecipheriv(name, key, nonce).setAAD(beside).setAuthTag(tag);
    const opened = decipher.update(content);
    decipher.final();
    return opened;
  },
});

const ccm = (name: CipherCCM): Aead => ({
  nonceBytes: 11,
  encrypt(key, nonce, beside, pieces) {
    const plain = Buffer.concat(pieces); // CCM takes its text in one piece
    const cipher = createCipheriv(name, key, nonce, { authTagLength: TAG_BYTES }).setAAD(beside, { plaintextLength: plain.byteLength });
    const sealed = cipher.update(plain);
    cipher.final();
    return { sealed: [sealed], tag: cipher.getAuthTag() };
  },
  decrypt(key, { nonce, tag, beside, content }) {
    const decipher = createDecipheriv(name, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(tag).setAAD(beside, { plaintextLength: content.byteLength });
    const opened = decipher.update(content);
    decipher.final();
    return opened;
  },
});
