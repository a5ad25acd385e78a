import { either } from '../../core/args.ts';
import { CryptoException } from '../../core/errors.ts';
import type { Shape } from '../../core/shapes.ts';
import * as shapes from '../../core/shapes.ts';

const isHexRecord = (value: unknown): value is { readonly hex: string } =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 1 && 'hex' in value && typeof value.hex === 'string';

const hex: Shape<Uint8Array, { readonly hex: string }> = {
  schema: {
    type: 'object',
    properties: { hex: { type: 'string', pattern: '^([0-9A-Fa-f]{2})*$' } },
    required: ['hex'],
    additionalProperties: false,
  },
  expected: '{"hex": "…"}',
  accepts: (value) => isHexRecord(value) && /^(?:[0-9A-Fa-f]{2})*$/.test(value.hex),
  read: (value) => Buffer.from(isHexRecord(value) ? value.hex : '', 'hex'),
};

/** Key sizes of AES. */
const KEY_BITS: readonly number[] = [128, 192, 256];

/** The argument that takes a key. */
export const keyArgument = () =>
  either(
    'The key, 16, 24 or 32 bytes: a text stands for its UTF-8 bytes, {"base64": "…"} and {"hex": "…"} for raw ones.',
    [shapes.bytes(), hex],
    { role: 'secret', isContent: true },
  );

/** Refuses a key that AES does not take. */
export const demandKey = (key: Uint8Array): void => {
  if (KEY_BITS.includes(key.byteLength * 8)) return;
  throw new CryptoException(`The key has ${key.byteLength} bytes; it must have 16, 24 or 32 (FA_generate_key makes one).`, {
    context: { argument: 'key', bytes: key.byteLength },
  });
};

/** Refuses a key size that AES does not have. */
export const demandBits = (bits: number): void => {
  if (KEY_BITS.includes(bits)) return;
  throw new CryptoException(`A key cannot have ${bits} bits; choose 128, 192 or 256.`, { context: { argument: 'bits', bits } });
};
