import { DiffException, FileNotExistsException, TextOpsException } from '../../core/errors.ts';
import type { FilePort, Reader } from '../../core/files.ts';
import { readWhole } from '../../lib/fs/edit-file.ts';
import { openEdit } from '../../lib/text/encoding.ts';
import type { Encoder } from '../../lib/text/encodings/codec.ts';

/** Larger files are not compared line by line: the lines of both are held in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The text of a file, and how to write it again. */
export interface EditableText {
  readonly text: string;
  readonly encoder: Encoder;
}

interface TextPlace {
  readonly argument: string;
}

interface TextFormat extends TextPlace {
  readonly encoding: string;
}

/** Reads a text file whole; whatever is wrong with it is told as a `DiffException`. */
export const readText = (files: FilePort, path: string, format: TextFormat): Promise<EditableText> =>
  inOurWords(files, path, format, async () => {
    demandSize((await files.stat(path))?.size ?? 0, { ...format, path });
    return decode(await files.read(path), format);
  });

/** The text of an open file. */
export const decodeFrom = async (source: Reader, format: TextFormat & { readonly path: string }): Promise<EditableText> => {
  demandSize(source.entry.size, format);
  return decode(await readWhole(source), format);
};

const decode = async (bytes: Uint8Array, { encoding }: TextFormat): Promise<EditableText> => {
  const { decoder, encoder } = await openEdit(encoding, bytes.subarray(0, 4));
  return { text: decoder.write(bytes) + decoder.end(), encoder };
};

const demandSize = (size: number, { argument, path }: TextPlace & { readonly path: string }): void => {
  if (size <= MAX_BYTES) return;
  throw new DiffException(`${path} holds ${size} bytes, more than the ${MAX_BYTES} that can be compared; compare parts of it.`, {
    context: { argument, path },
  });
};

/** Tells what is wrong with a file as a `DiffException`. */
export const inOurWords = async <T>(files: FilePort, path: string, { argument }: TextPlace, work: () => Promise<T>): Promise<T> => {
  const failed = (message: string, cause?: unknown) => new DiffException(message, { context: { argument, path }, cause });
  try {
    return await work();
  } catch (fault) {
    if (fault instanceof FileNotExistsException) throw failed(`No file is at ${files.absolute(path)}; check the path.`, fault);
    if (fault instanceof TextOpsException) throw failed(`${path} cannot be read as text: ${fault.message}`, fault);
    throw fault;
  }
};
