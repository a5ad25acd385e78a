import { randomBytes } from 'node:crypto';
import { defineAction } from '../../core/action.ts';
import { bytes, integer, text } from '../../core/args.ts';
import { CryptoException, QuotaExceededException } from '../../core/errors.ts';
import type { Shape } from '../../core/shapes.ts';
import { deriveKey } from '../../lib/crypto/derive-key.ts';
import { demandBits } from './key-argument.ts';

const MIN_SALT_BYTES = 16;
/** Some ten seconds: more helps nobody, and the work cannot be stopped. */
const MAX_ITERATIONS = 10_000_000;
/** Of callers with limits: about a second, in which keys of others wait. */
const MAX_LIMITED_ITERATIONS = 2_000_000;

/** A key as it leaves: `{"base64": "…"}`, ready to be given to an action that takes a key. */
const keyBytes: Shape<Uint8Array, { readonly base64: string }> = {
  schema: {
    type: 'object',
    properties: { base64: { type: 'string', contentEncoding: 'base64' } },
    required: ['base64'],
    additionalProperties: false,
  },
  expected: 'bytes',
  accepts: (value) => value instanceof Uint8Array,
};

export const generateKey = defineAction({
  name: 'FA_generate_key',
  summary: 'Makes a random key for encryption.',
  args: { bits: integer('Length of the key: 128, 192 or 256.', { default: 256 }) },
  returns: keyBytes,
  examples: [{ args: {} }],
  run(_ctx, { bits }) {
    demandBits(bits);
    return randomBytes(bits / 8);
  },
});

export const keyFromPassword = defineAction({
  name: 'FA_key_from_password',
  summary: 'Makes a key from a password and a salt; the same ones give the same key.',
  args: {
    password: text('The password.', { role: 'secret' }),
    salt: bytes('At least 16 bytes that differ from password to password; they need not be secret.'),
    iterations: integer(
      `Rounds of PBKDF2-HMAC-SHA256: more make guessing slower; callers with limits may ask for ${MAX_LIMITED_ITERATIONS}.`,
      { default: 600_000, min: 1, max: MAX_ITERATIONS },
    ),
    bits: integer('Length of the key: 128, 192 or 256.', { default: 256 }),
  },
  returns: keyBytes,
  idempotent: true,
  examples: [
    {
      args: { password: 'pw', salt: '0123456789abcdef', iterations: 1000 },
      value: { base64: 'g4BiOBrcHGnGTAdCcoA+WrLOFA69L2c9HA5vVpt2o7A=' },
    },
  ],
  run({ signal, isLimited }, { password, salt, iterations, bits }) {
    demandBits(bits);
    if (isLimited && iterations > MAX_LIMITED_ITERATIONS) {
      throw new QuotaExceededException(
        `iterations is ${iterations}; callers with limits may ask for ${MAX_LIMITED_ITERATIONS} at most: use fewer rounds.`,
        { context: { argument: 'iterations', limit: MAX_LIMITED_ITERATIONS } },
      );
    }
    if (password === '') throw new CryptoException('An empty password protects nothing; give one.', { context: { argument: 'password' } });
    if (salt.byteLength < MIN_SALT_BYTES) {
      throw new CryptoException(`The salt has ${salt.byteLength} bytes; give at least ${MIN_SALT_BYTES} random ones.`, {
        context: { argument: 'salt', bytes: salt.byteLength },
      });
    }
    return deriveKey(password, salt, { iterations, bits, signal });
  },
});
