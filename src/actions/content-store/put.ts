import { createHash } from 'node:crypto';
import { defineAction } from '../../core/action.ts';
import { bytes, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { CASException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { blobPath, copyVerified, digestFile, storeArg } from './blob.ts';

const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

const put = async (ctx: Context, { root, source }: { readonly root: string; readonly source: string }): Promise<string> => {
  const { files } = ctx;
  if ((await files.stat(source))?.kind !== 'file')
    throw new CASException(`No file is at ${files.absolute(source)}; check the path.`, {
      context: { argument: 'source', path: files.absolute(source) },
    });
  const digest = await digestFile(ctx, source);
  const blob = blobPath(files.absolute(root), digest);
  if ((await files.stat(blob)) !== undefined) return digest;
  await copyVerified(ctx, source, blob, digest);
  return digest;
};

export const casPut = defineAction({
  name: 'FA_cas_put',
  summary: 'Stores a file under the digest of its content and gives that digest.',
  args: { root: storeArg, source: path('The file to store.', { role: 'reads' }) },
  returns: shapes.text(),
  idempotent: true,
  examples: [{ files: { 'a.txt': 'abc' }, args: { root: 'store', source: 'a.txt' }, value: ABC, leaves: { [`store/ba/${ABC}`]: 'abc' } }],
  plan: put,
  run: put,
});

const putBytes = async (
  { files, signal }: Context,
  { root, data }: { readonly root: string; readonly data: Uint8Array },
): Promise<string> => {
  const digest = createHash('sha256').update(data).digest('hex');
  const blob = blobPath(files.absolute(root), digest);
  if ((await files.stat(blob)) !== undefined) return digest;
  await files.write(blob, data, { signal });
  return digest;
};

export const casPutBytes = defineAction({
  name: 'FA_cas_put_bytes',
  summary: 'Stores bytes under their digest and gives that digest.',
  args: { root: storeArg, data: bytes('The bytes: a text as UTF-8, or base64.') },
  returns: shapes.text(),
  idempotent: true,
  examples: [{ args: { root: 'store', data: 'abc' }, value: ABC, leaves: { [`store/ba/${ABC}`]: 'abc' } }],
  plan: putBytes,
  run: putBytes,
});
