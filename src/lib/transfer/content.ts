import { StorageException } from '../../core/errors.ts';
import type { Outgoing, StoredItem } from '../../core/storage.ts';
import { locationOf, type TransferEnd, type TransferOptions } from './transfer.ts';

type Passing = Pick<TransferOptions, 'pace' | 'onBytes'>;

/**
 * The content of a stored file as something to send, read anew as often as it is asked for and only in the version that was seen. Nothing is
 * kept: a chunk is read when the target asks for it.
 */
export const contentOf = ({ storage, path }: TransferEnd, item: StoredItem, passing: Passing): Outgoing => ({
  bytes: item.bytes,
  async *chunks(stretch, { signal }) {
    const isWhole = stretch.start === 0 && stretch.end === undefined;
    const chunks = await storage.read(path, { signal, version: item.version, ...(!isWhole && { stretch }) });
    const wanted = (stretch.end ?? item.bytes) - stretch.start;
    let came = 0;
    for await (const chunk of passed(chunks, passing, signal)) {
      came += chunk.byteLength;
      if (came > wanted) break;
      yield chunk;
    }
    if (came !== wanted) throw otherLength({ storage, path }, came, wanted);
  },
});

/** A server that sends more or less than it has told is not believed, and one that never ends is not waited for. */
const otherLength = (from: TransferEnd, came: number, wanted: number): StorageException =>
  new StorageException(
    `${locationOf(from)} sends ${came > wanted ? 'more' : 'less'} than the ${wanted} bytes that it told; it changes just now, or its server is at fault.`,
    { context: { code: 'broken', location: locationOf(from), expected: wanted }, retryable: true },
  );

async function* passed(chunks: AsyncIterable<Uint8Array>, { pace, onBytes }: Passing, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const waiting = pace?.(chunk.byteLength, signal);
    if (waiting !== undefined) await waiting;
    yield chunk;
    onBytes?.(chunk.byteLength);
  }
}

/** A stretch of it as content of its own. */
export const partOf = (content: Outgoing, from: number, to: number): Outgoing & { readonly bytes: number } => ({
  bytes: to - from,
  chunks: ({ start, end = to - from }, options) => content.chunks({ start: from + start, end: from + end }, options),
});

/** Content that nobody will read: in a dry run only its length counts. */
export const unsent = (bytes: number): Outgoing => ({
  bytes,
  async *chunks() {},
});
