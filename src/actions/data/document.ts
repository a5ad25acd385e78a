import type { Context } from '../../core/context.ts';
import type { MakeError } from '../../lib/data/make-error.ts';
import type { OpenDocument } from '../../lib/data/open-document.ts';
import { editFile, readWhole } from '../../lib/fs/edit-file.ts';
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
  const { files } = ctx;
  const { size } = await demandFile(files, path, 'path', format.missing);
  demandSize(format, path, size);
  const document = await format.open(await files.read(path), { name: path, makeError: format.makeError });
  const { found, value } = document.get(key_path);
  return found ? value : fallback;
};

/** Puts a value at a key path; the file is written only if that changes it. */
export const setValue = async (
  ctx: Context,
  format: DocumentFormat,
  { path, key_path, value }: Place & { readonly value: unknown },
): Promise<boolean> => {
  await change(ctx, format, path, (document) => document.set(key_path, value));
  return true;
};

/** Removes what is at a key path; tells whether anything was there. */
export const deleteValue = (ctx: Context, format: DocumentFormat, { path, key_path }: Place): Promise<boolean> =>
  change(ctx, format, path, (document) => document.remove(key_path));

/** Edits the document; undefined leaves it as it is. Tells whether there was anything to write. */
const change = async (
  ctx: Context,
  format: DocumentFormat,
  path: string,
  edit: (document: OpenDocument) => string | undefined,
): Promise<boolean> => {
  await demandFile(ctx.files, path, 'path', format.missing);
  return editFile(ctx, path, async (source, target) => {
    demandSize(format, path, source.entry.size);
    const before = await readWhole(source);
    const text = edit(await format.open(before, { name: path, makeError: format.makeError }));
    if (text === undefined) return { value: false, isChanged: false };
    const after = Buffer.from(text);
    const isChanged = !after.equals(before);
    if (isChanged) await target.write(after);
    return { value: true, isChanged };
  });
};

const demandSize = ({ name, maxBytes, makeError }: DocumentFormat, path: string, size: number): void => {
  if (size <= maxBytes) return;
  throw makeError(`${path} holds ${size} bytes; ${name} is edited in memory, up to ${maxBytes}: split the file.`, {
    path,
    size,
    limit: maxBytes,
  });
};
