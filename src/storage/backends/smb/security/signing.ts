import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { FLAG, signatureOf } from '../wire/header.ts';
import { cmac } from './cmac.ts';

/** How messages are signed: 2.1 knows only the first, 3.0 only the second, 3.1.1 lets both sides choose. */
export type SigningName = 'hmac-sha256' | 'aes-cmac' | 'aes-gmac';

export interface Signer {
  /** Writes the signature into the first piece, which begins with the header. */
  sign(pieces: readonly Buffer[]): void;
  /** Whether the signature of an answer is right. Its place in the answer is empty afterwards. */
  isRight(message: Buffer): boolean;
}

export const createSigner = (name: SigningName, key: Buffer): Signer => {
  const compute = MACS[name];
  return {
    sign(pieces) {
      const [head] = pieces;
      if (head === undefined) return;
      head.writeUInt32LE(head.readUInt32LE(16) | FLAG.signed, 16);
      signatureOf(head).set(compute(key, pieces, head));
    },
    isRight(message) {
      const field = signatureOf(message);
      const given = Buffer.from(field);
      field.fill(0);
      return timingSafeEqual(given, compute(key, [message], message));
    },
  };
};

type Mac = (key: Buffer, pieces: readonly Buffer[], head: Buffer) => Buffer;

const MACS: Readonly<Record<SigningName, Mac>> = {
  'hmac-sha256': (key, pieces) => {
    const hmac = createHmac('sha256', key);
    for (const piece of pieces) hmac.update(piece);
    return hmac.digest().subarray(0, 16);
  },
  'aes-cmac': cmac,
  'aes-gmac': (key, pieces, head) => {
    // The nonce is the message id and who speaks; the signature is the tag of an empty text with the message beside it.
    const nonce = Buffer.alloc(12);
    head.copy(nonce, 0, 24, 32);
    const isCancel = head.readUInt16LE(12) === 12;
    nonce[8] = (head.readUInt32LE(16) & FLAG.response) | (isCancel ? 2 : 0);
    const cipher = createCipheriv('aes-128-gcm', key, nonce);
    for (const piece of pieces) cipher.setAAD(piece);
    cipher.final();
    return cipher.getAuthTag();
  },
};
