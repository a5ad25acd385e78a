import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

/** A key from a password by PBKDF2-HMAC-SHA256; the same for the same password, salt, rounds and length. */
export const deriveKey = (
  password: string,
  salt: Uint8Array,
  { iterations, bits }: { readonly iterations: number; readonly bits: number },
): Promise<Buffer> => derive(password, salt, iterations, bits / 8, 'sha256');
