import type { Context } from '../../../core/context.ts';
import { createZipWriter, type ZipWriter } from '../../../lib/archive/zip/zip-writer.ts';

interface ZipOptions {
  /** Null: not encrypted. */
  readonly password: Uint8Array | null;
  readonly level: number;
}

/** Writes a zip file aside and puts it in place when it is whole. */
export const writeZip = async (
  { files, signal }: Context,
  target: string,
  { password, level }: ZipOptions,
  fill: (zip: ZipWriter) => Promise<void>,
): Promise<void> => {
  await using writer = await files.create(target, { signal });
  const zip =
    password === null
      ? createZipWriter(writer)
      : await (await import('../../../lib/archive/zip/encrypted-zip-writer.ts')).createEncryptedZipWriter(writer, { password, level });
  await fill(zip);
  await zip.finish();
  await writer.commit();
};
