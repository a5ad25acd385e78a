import { defineAction } from '../../core/action.ts';
import * as shapes from '../../core/shapes.ts';
import { algorithmArg, chunkArg, digestOf, pathArg } from './digest.ts';

export const fileChecksum = defineAction({
  name: 'FA_file_checksum',
  summary: 'Gives the digest of a file as lower-case hex.',
  args: { path: pathArg, algorithm: algorithmArg, chunk_size: chunkArg },
  returns: shapes.text(),
  idempotent: true,
  examples: [
    { files: { 'a.txt': 'abc' }, args: { path: 'a.txt' }, value: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
  ],
  run: (ctx, { path, algorithm, chunk_size }) => digestOf(ctx, path, algorithm, chunk_size),
});
