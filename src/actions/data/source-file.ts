import { FileNotExistsException } from '../../core/errors.ts';
import type { Entry, FilePort } from '../../core/files.ts';
import type { Progress } from '../../core/progress.ts';

/** Builds the error for a path where no file is. */
export type MissingFile = (message: string, context: { readonly argument: string; readonly path: string }) => Error;

const fileNotExists: MissingFile = (message, context) => new FileNotExistsException(message, { context });

/** The entry of a file that must be there. */
export const demandFile = async (files: FilePort, path: string, argument: string, missing = fileNotExists): Promise<Entry> => {
  const entry = await files.stat(path);
  if (entry?.kind === 'file') return entry;
  const found = entry === undefined ? 'No file' : entry.kind === 'dir' ? 'A directory, not a file,' : 'Something that is no regular file';
  const shown = files.absolute(path);
  throw missing(`${found} is at ${shown}; check the path.`, { argument, path: shown });
};

/** Rows and records of so much text take some milliseconds; between two chunks others have their turn. */
export const CHUNK_BYTES = 64 * 1024;

/** Passes chunks on, tells the progress of their bytes, and stops when told to. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: Pick<Progress, 'advance'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    progress.advance(chunk.byteLength);
    yield chunk;
  }
}
