import { createHash, createHmac } from 'node:crypto';
import { CIPHER_KEY_BYTES, type CipherName } from './sealing.ts';

/** The versions of the protocol that are spoken; older ones cannot be told from a downgrade or cannot sign well. */
export type Dialect = 0x0210 | 0x0300 | 0x0302 | 0x0311;

export interface SessionKeys {
  readonly signing: Buffer;
  /** For what goes to the server; undefined where nothing can be encrypted. */
  readonly sealing: Buffer | undefined;
  /** For what comes from it. */
  readonly opening: Buffer | undefined;
}

export interface KeyOrigin {
  readonly dialect: Dialect;
  readonly sessionKey: Buffer;
  readonly cipher: CipherName | undefined;
  /** Over everything that was said before the session was there; only in 3.1.1. */
  readonly preauthHash: Buffer;
}

/** The keys of a session ([MS-SMB2] 3.2.5.3.1). */
export const sessionKeys = ({ dialect, sessionKey, cipher, preauthHash }: KeyOrigin): SessionKeys => {
  if (dialect === 0x0210) return { signing: sessionKey, sealing: undefined, opening: undefined };
  const bytes = cipher === undefined ? 16 : CIPHER_KEY_BYTES[cipher];
  const derive = (label: string, context: string, length: number): Buffer =>
    deriveKey(sessionKey, label, dialect === 0x0311 ? preauthHash : Buffer.from(context), length);
  const labels = dialect === 0x0311 ? NEW_LABELS : OLD_LABELS;
  return {
    signing: derive(labels.signing, 'SmbSign\0', 16),
    sealing: cipher && derive(labels.sealing, 'ServerIn \0', bytes),
    opening: cipher && derive(labels.opening, 'ServerOut\0', bytes),
  };
};

const OLD_LABELS = { signing: 'SMB2AESCMAC\0', sealing: 'SMB2AESCCM\0', opening: 'SMB2AESCCM\0' } as const;
const NEW_LABELS = { signing: 'SMBSigningKey\0', sealing: 'SMBC2SCipherKey\0', opening: 'SMBS2CCipherKey\0' } as const;

/** SP800-108 in counter mode with HMAC-SHA256: one round gives all that is needed. */
export const deriveKey = (key: Buffer, label: string, context: Buffer, bytes: number): Buffer => {
  const counter = Buffer.from([0, 0, 0, 1]);
  const bits = Buffer.alloc(4);
  bits.writeUInt32BE(bytes * 8);
  return createHmac('sha256', key)
    .update(counter)
    .update(label, 'latin1')
    .update(Buffer.from([0]))
    .update(context)
    .update(bits)
    .digest()
    .subarray(0, bytes);
};

/** What was said so far, with one message more. */
export const extendPreauthHash = (hash: Buffer, message: Buffer): Buffer => createHash('sha512').update(hash).update(message).digest();

export const EMPTY_PREAUTH_HASH: Buffer = Buffer.alloc(64);
