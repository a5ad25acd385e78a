import { createHash } from 'node:crypto';
import { defineAction } from '../../core/action.ts';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { CASException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { blobPath, copyVerified, demandBlob, digestArg, readStoreArg } from './blob.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const storedAbc = { [`store/ba/${ABC}`]: 'abc' };

export const casExists = defineAction({
  name: 'FA_cas_exists',
  summary: 'Tells whether a blob is stored.',
  args: { root: readStoreArg, digest: digestArg },
  returns: shapes.flag(),
  question: { no: 'there is none', isNo: (is) => !is },
  idempotent: true,
  onlyLooks: true,
  examples: [{ args: { root: 'store', digest: EMPTY }, value: false }],
  run: async ({ files }, { root, digest }) => (await files.stat(blobPath(files.absolute(root), digest)))?.kind === 'file',
});

export const casPath = defineAction({
  name: 'FA_cas_path',
  summary: 'Gives the path where a blob lies or would lie.',
  args: { root: text('The directory of the store.', { minLength: 1 }), digest: digestArg },
  returns: shapes.text(),
  idempotent: true,
  examples: [{ args: { root: '/store', digest: EMPTY }, value: `/store/e3/${EMPTY}` }],
  run: ({ files }, { root, digest }) => blobPath(files.absolute(root), digest),
});

export const casRead = defineAction({
  name: 'FA_cas_read',
  summary: 'Reads a blob and checks it against its digest.',
  args: { root: readStoreArg, digest: digestArg },
  returns: shapes.bytes(),
  idempotent: true,
  examples: [{ files: storedAbc, args: { root: 'store', digest: ABC }, value: { base64: 'YWJj' } }],
  async plan({ files }, { root, digest }) {
    await using _ = await files.open(await demandBlob(files, root, digest));
  },
  async run({ files }, { root, digest }) {
    const content = await files.read(await demandBlob(files, root, digest));
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== digest)
      throw new CASException(`The blob ${digest} is damaged: its content has the digest ${found}.`, { context: { digest, found } });
    return content;
  },
});

interface CopyToArgs {
  readonly root: string;
  readonly digest: string;
  readonly destination: string;
}

const copyTo = async (ctx: Context, { root, digest, destination }: CopyToArgs): Promise<string> => {
  const { files } = ctx;
  const target = files.absolute(destination);
  const blob = await demandBlob(files, root, digest);
  await copyVerified(ctx, blob, target, digest);
  return target;
};

export const casCopyTo = defineAction({
  name: 'FA_cas_copy_to',
  summary: 'Copies a blob to a path, checked against its digest; missing directories are made.',
  args: { root: readStoreArg, digest: digestArg, destination: path('Where the copy goes.', { role: 'writes' }) },
  returns: shapes.text(),
  idempotent: true,
  examples: [{ files: storedAbc, args: { root: 'store', digest: ABC, destination: 'out/abc.txt' }, leaves: { 'out/abc.txt': 'abc' } }],
  plan: copyTo,
  run: copyTo,
});

/** The digests of all blobs; what is no blob is passed over. */
const digestsIn = async ({ files }: Context, root: string): Promise<string[]> => {
  if ((await files.stat(root))?.kind !== 'dir') return [];
  const found: string[] = [];
  for (const { name: bucket, kind } of await files.list(root)) {
    if (kind !== 'dir' || !/^[0-9a-f]{2}$/.test(bucket)) continue;
    for (const entry of await files.list(`${files.absolute(root)}/${bucket}`)) {
      if (entry.kind === 'file' && /^[0-9a-f]{64}$/.test(entry.name) && entry.name.startsWith(bucket)) found.push(entry.name);
    }
  }
  return found.sort();
};

export const casList = defineAction({
  name: 'FA_cas_list',
  summary: 'Lists the digests of all blobs, sorted.',
  args: { root: readStoreArg },
  returns: shapes.list(shapes.text()),
  idempotent: true,
  onlyLooks: true,
  examples: [{ files: storedAbc, args: { root: 'store' }, value: [ABC] }],
  run: (ctx, { root }) => digestsIn(ctx, root),
});

export const casSize = defineAction({
  name: 'FA_cas_size',
  summary: 'Counts the blobs.',
  args: { root: readStoreArg },
  returns: shapes.integer(),
  idempotent: true,
  onlyLooks: true,
  examples: [{ files: storedAbc, args: { root: 'store' }, value: 1 }],
  run: async (ctx, { root }) => (await digestsIn(ctx, root)).length,
});

const remove = async ({ files }: Context, { root, digest }: { readonly root: string; readonly digest: string }): Promise<boolean> => {
  const blob = blobPath(files.absolute(root), digest);
  if ((await files.stat(blob)) === undefined) return false;
  await files.remove(blob);
  return true;
};

export const casDelete = defineAction({
  name: 'FA_cas_delete',
  summary: 'Deletes a blob; tells whether it was there.',
  args: { root: path('The directory of the store.', { role: 'removesTree', mayBeMissing: true }), digest: digestArg },
  returns: shapes.flag(),
  idempotent: true,
  examples: [{ files: storedAbc, args: { root: 'store', digest: ABC }, value: true, leaves: { [`store/ba/${ABC}`]: null } }],
  plan: remove,
  run: remove,
});
