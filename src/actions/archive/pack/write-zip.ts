import type { Context } from '../../../core/context.ts';
import { createZipWriter, type ZipSink, type ZipWriter } from '../../../lib/archive/zip/zip-writer.ts';

interface ZipOptions {
  /** Null: not encrypted. */
  readonly password: Uint8Array | null;
  readonly level: number;
}

/** Writes a zip file aside and puts it in place when it is whole. */
export const writeZip = async (
  { files, signal }: Context,
  target: string,
  options: ZipOptions,
  fill: (zip: ZipWriter) => Promise<void>,
): Promise<void> => {
  await using writer = await files.create(target, { signal });
  await fillZip(writer, options, fill);
  await writer.commit();
};

/** Writes the bytes of a zip file. */
export const fillZip = async (sink: ZipSink, { password, level }: ZipOptions, fill: (zip: ZipWriter) => Promise<void>): Promise<void> => {
  const zip =
    password === null
      ? createZipWriter(sink)
      : await (await import('../../../lib/archive/zip/encrypted-zip-writer.ts')).createEncryptedZipWriter(sink, { password, level });
  await fill(zip);
  await zip.finish();
};
