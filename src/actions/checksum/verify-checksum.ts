import { timingSafeEqual } from 'node:crypto';
import { defineAction } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import { ChecksumMismatchException } from '../../core/errors.ts';
import { onMismatch } from '../../core/on-mismatch.ts';
import * as shapes from '../../core/shapes.ts';
import { algorithmArg, chunkArg, digestOf, pathArg } from './digest.ts';

/** Equal whatever the case; takes the same time wherever they differ. */
const isSameHex = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one.toLowerCase()), Buffer.from(other.toLowerCase())];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
};

export const verifyChecksum = defineAction({
  name: 'FA_verify_checksum',
  summary: 'Tells whether the digest of a file is the expected one.',
  args: {
    path: pathArg,
    expected: text('The digest in hex, in any case; `sha256:…` names its algorithm too.'),
    algorithm: algorithmArg,
    chunk_size: chunkArg,
    on_mismatch: onMismatch(),
  },
  returns: shapes.flag(),
  question: { no: 'the digest is another one', isNo: (isSame) => !isSame },
  idempotent: true,
  examples: [
    {
      files: { 'a.txt': 'abc' },
      args: { path: 'a.txt', expected: 'sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD' },
      value: true,
    },
    { about: 'Another digest is no failure.', files: { 'a.txt': 'abc' }, args: { path: 'a.txt', expected: '00' }, value: false },
  ],
  async run(ctx, { path, expected, algorithm, chunk_size, on_mismatch }) {
    const named = /^([A-Za-z0-9_/-]+):(.*)$/s.exec(expected.trim());
    const [, ownAlgorithm = algorithm, digest = expected.trim()] = named ?? [];
    const found = await digestOf(ctx, path, ownAlgorithm, chunk_size);
    const isSame = isSameHex(found, digest);
    if (isSame || on_mismatch === 'report') return isSame;
    const shown = ctx.files.absolute(path);
    throw new ChecksumMismatchException(`${shown} has the digest ${found}, not the expected one; get it again or check the digest.`, {
      context: { path: shown, algorithm: ownAlgorithm, found, expected: digest.slice(0, 200) },
    });
  },
});
