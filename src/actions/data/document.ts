import type { Context } from '../../core/context.ts';
import type { MakeError } from '../../lib/data/make-error.ts';
import type { OpenDocument } from '../../lib/data/open-document.ts';
import { demandFile, type MissingFile } from './source-file.ts';

/** What tells JSON and YAML apart for the three actions they share. */
export interface DocumentFormat {
  readonly name: string;
  /** The most that is read into memory. */
  readonly maxBytes: number;
  readonly makeError: MakeError;
  readonly missing?: MissingFile;
  open(bytes: Uint8Array, naming: { readonly name: string; readonly makeError: MakeError }): OpenDocument | Promise<OpenDocument>;
}

interface Place {
  readonly path: string;
  readonly key_path: string;
}

/** The value at a key path, or the default where there is none. */
export const getValue = async (
  ctx: Context,
  format: DocumentFormat,
  { path, key_path, default: fallback }: Place & { readonly default: unknown },
): Promise<unknown> => {
  const { document } = await read(ctx, format, path);
  const { found, value } = document.get(key_path);
  return found ? value : fallback;
};

/** Puts a value at a key path; the file is written only if that changes it. */
export const setValue = async (
  ctx: Context,
  format: DocumentFormat,
  { path, key_path, value }: Place & { readonly value: unknown },
): Promise<boolean> => {
  const { bytes, document } = await read(ctx, format, path);
  await write(ctx, path, bytes, document.set(key_path, value));
  return true;
};

/** Removes what is at a key path; tells whether anything was there. */
export const deleteValue = async (ctx: Context, format: DocumentFormat, { path, key_path }: Place): Promise<boolean> => {
  const { bytes, document } = await read(ctx, format, path);
  const text = document.remove(key_path);
  if (text === undefined) return false;
  await write(ctx, path, bytes, text);
  return true;
};

const read = async ({ files }: Context, format: DocumentFormat, path: string) => {
  const { makeError, maxBytes } = format;
  const { size } = await demandFile(files, path, 'path', format.missing);
  if (size > maxBytes) {
    throw makeError(`${path} holds ${size} bytes; ${format.name} is edited in memory, up to ${maxBytes}: split the file.`, {
      path,
      size,
      limit: maxBytes,
    });
  }
  const bytes = await files.read(path);
  return { bytes, document: await format.open(bytes, { name: path, makeError }) };
};

const write = async ({ files, signal }: Context, path: string, before: Uint8Array, text: string): Promise<void> => {
  const after = Buffer.from(text);
  if (!after.equals(before)) await files.write(path, after, { signal });
};
