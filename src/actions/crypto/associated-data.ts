import { either } from '../../core/args.ts';
import { CryptoException } from '../../core/errors.ts';
import type { Shape } from '../../core/shapes.ts';
import * as shapes from '../../core/shapes.ts';
import { MAX_ASSOCIATED_BYTES } from '../../lib/crypto/container.ts';

/** Bytes as a caller writes them. */
export type WrittenBytes = string | { readonly base64: string };

const { schema, expected, accepts, read } = shapes.bytes();
const written: Shape<WrittenBytes, WrittenBytes> = { schema, expected, accepts };

/** The argument that takes associated data; as written, so that its default is the text that callers know. */
export const associatedDataArgument = () =>
  either('Data that is stored readable beside it and protected against change.', [written], { default: '' });

/** Its bytes. */
export const associatedBytes = (given: WrittenBytes): Uint8Array => {
  const bytes = read?.(given) ?? new Uint8Array();
  if (bytes.byteLength <= MAX_ASSOCIATED_BYTES) return bytes;
  throw new CryptoException(
    `associated_data has ${bytes.byteLength} bytes, more than ${MAX_ASSOCIATED_BYTES}; put large data into the file.`,
    {
      context: { argument: 'associated_data', limit: MAX_ASSOCIATED_BYTES },
    },
  );
};
