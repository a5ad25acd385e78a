import { timingSafeEqual } from 'node:crypto';
import { defineAction } from '../../core/action.ts';
import { text } from '../../core/args.ts';
import { boolean } from '../../core/shapes.ts';
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
  },
  returns: boolean(),
  idempotent: true,
  examples: [
    {
      files: { 'a.txt': 'abc' },
      args: { path: 'a.txt', expected: 'sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD' },
      value: true,
    },
    { about: 'Another digest is no failure.', files: { 'a.txt': 'abc' }, args: { path: 'a.txt', expected: '00' }, value: false },
  ],
  async run(ctx, { path, expected, algorithm, chunk_size }) {
    const named = /^([A-Za-z0-9_/-]+):(.*)$/s.exec(expected.trim());
    const [, ownAlgorithm = algorithm, digest = expected.trim()] = named ?? [];
    return isSameHex(await digestOf(ctx, path, ownAlgorithm, chunk_size), digest);
  },
});
