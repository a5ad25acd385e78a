import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { CASException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';

export const storeArg = path('The directory of the store; made when first needed.', { role: 'writesTree', mayBeMissing: true });
export const readStoreArg = path('The directory of the store.', { role: 'readsTree', mayBeMissing: true });
export const digestArg = text('The SHA-256 of the blob, 64 lower-case hex digits.');

/** Where a blob lies or would lie: `<root>/<first two>/<digest>`. */
export const blobPath = (root: string, digest: string): string => {
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    throw new CASException('A digest has 64 lower-case hex digits; give one that the store gave.', { context: { argument: 'digest' } });
  }
  return join(root, digest.slice(0, 2), digest);
};

/** The blob's path; fails when it is not stored. */
export const demandBlob = async (files: FilePort, root: string, digest: string): Promise<string> => {
  const blob = blobPath(files.absolute(root), digest);
  if ((await files.stat(blob))?.kind !== 'file') throw new CASException(`The store holds no blob ${digest}.`, { context: { digest } });
  return blob;
};

/** Streams a file through SHA-256; `take` sees every chunk. */
export const digestFile = async (
  { files, signal }: Context,
  file: string,
  take?: (chunk: Uint8Array) => Promise<void>,
): Promise<string> => {
  const hash = createHash('sha256');
  await using reader = await files.open(file);
  for await (const chunk of reader.stream()) {
    signal.throwIfAborted();
    hash.update(chunk);
    await take?.(chunk);
  }
  return hash.digest('hex');
};

/** Copies bytes whose digest is known to a target that appears only if they still have it. */
export const copyVerified = async (ctx: Context, from: string, to: string, digest: string): Promise<void> => {
  const { size } = (await ctx.files.stat(from)) ?? { size: 0 };
  await using writer = await ctx.files.create(to, { signal: ctx.signal, expectedBytes: size });
  const found = await digestFile(ctx, from, (chunk) => writer.write(chunk));
  if (found !== digest)
    throw new CASException(`${from} is not what its digest says: ${digest} was expected, ${found} found.`, {
      context: { path: from, digest, found },
    });
  await writer.commit();
};
