import { DiffException, FileNotExistsException, TextOpsException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { openEdit } from '../../lib/text/encoding.ts';
import type { Encoder } from '../../lib/text/encodings/codec.ts';

/** Larger files are not compared line by line: the lines of both are held in memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The text of a file, and how to write it again. */
export interface EditableText {
  readonly text: string;
  readonly encoder: Encoder;
}

/** Reads a text file whole; whatever is wrong with it is told as a `DiffException`. */
export const readText = async (
  files: FilePort,
  path: string,
  { argument, encoding }: { readonly argument: string; readonly encoding: string },
): Promise<EditableText> => {
  const failed = (message: string, cause?: unknown) => new DiffException(message, { context: { argument, path }, cause });
  try {
    const entry = await files.stat(path);
    if (entry !== undefined && entry.size > MAX_BYTES)
      throw failed(`${path} holds ${entry.size} bytes, more than the ${MAX_BYTES} that can be compared; compare parts of it.`);
    const bytes = await files.read(path);
    const { decoder, encoder } = await openEdit(encoding, bytes.subarray(0, 4));
    return { text: decoder.write(bytes) + decoder.end(), encoder };
  } catch (fault) {
    if (fault instanceof FileNotExistsException) throw failed(`No file is at ${files.absolute(path)}; check the path.`, fault);
    if (fault instanceof TextOpsException) throw failed(`${path} cannot be read as text: ${fault.message}`, fault);
    throw fault;
  }
};
