import type { Context } from '../../core/context.ts';
import { type DocumentKind, type DocumentUse, documentFormats } from '../../lib/data/document-task.ts';
import { useDocument } from '../../lib/data/use-document.ts';
import { editFile, readWhole } from '../../lib/fs/edit-file.ts';
import { demandFile, type MissingFile } from './source-file.ts';

/** What tells JSON and YAML apart for the three actions they share. */
export interface DocumentFormat {
  readonly name: string;
  readonly kind: DocumentKind;
  /** The most that is read into memory. */
  readonly maxBytes: number;
  readonly missing?: MissingFile;
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
  const order = { kind: format.kind, name: path, bytes: await files.read(path), use: { kind: 'get', keyPath: key_path } } as const;
  const { found, value } = await useDocument(order, ctx);
  return found ? value : fallback;
};

/** Puts a value at a key path; the file is written only if that changes it. */
export const setValue = async (
  ctx: Context,
  format: DocumentFormat,
  { path, key_path, value }: Place & { readonly value: unknown },
): Promise<boolean> => {
  await change(ctx, format, path, { kind: 'set', keyPath: key_path, value });
  return true;
};

/** Removes what is at a key path; tells whether anything was there. */
export const deleteValue = (ctx: Context, format: DocumentFormat, { path, key_path }: Place): Promise<boolean> =>
  change(ctx, format, path, { kind: 'remove', keyPath: key_path });

/** Edits the document, if that changes it. Tells whether there was anything to edit. */
const change = async (ctx: Context, format: DocumentFormat, path: string, use: DocumentUse): Promise<boolean> => {
  await demandFile(ctx.files, path, 'path', format.missing);
  return editFile(ctx, path, async (source, target) => {
    demandSize(format, path, source.entry.size);
    const { found, bytes } = await useDocument({ kind: format.kind, name: path, bytes: await readWhole(source), use }, ctx);
    if (bytes !== undefined) await target.write(bytes);
    return { value: found, isChanged: bytes !== undefined };
  });
};

const demandSize = ({ name, kind, maxBytes }: DocumentFormat, path: string, size: number): void => {
  if (size <= maxBytes) return;
  throw documentFormats[kind].makeError(`${path} holds ${size} bytes; ${name} is edited in memory, up to ${maxBytes}: split the file.`, {
    path,
    size,
    limit: maxBytes,
  });
};
