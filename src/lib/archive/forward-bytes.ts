import { broken } from './broken.ts';
import { type ByteSource, bytesAt } from './byte-source.ts';

/** Bytes that are only read forwards: those of a file can be jumped over, those of a decompressor have to be read. */
export interface ForwardBytes {
  /** The next bytes, fewer only at the end. */
  take(length: number): Promise<Buffer>;
  /** The next bytes as they come; fails where there are fewer. */
  stream(length: number): AsyncGenerator<Uint8Array>;
  skip(length: number): Promise<void>;
  /** Everything that is left. */
  rest(): AsyncIterable<Uint8Array>;
}

/** The bytes of a file. */
export const forwardOver = (source: ByteSource): ForwardBytes => {
  let position = 0;
  return {
    async take(length) {
      const bytes = await bytesAt(source, position, length);
      position += bytes.byteLength;
      return bytes;
    },
    async *stream(length) {
      const end = position + length;
      if (end > source.size) throw cut();
      for await (const chunk of source.stream({ start: position, end })) {
        position += chunk.byteLength;
        yield chunk;
      }
      if (position < end) throw cut();
    },
    async skip(length) {
      position += length;
      if (position > source.size) throw cut();
    },
    rest: () => source.stream({ start: position }),
  };
};

/** The bytes of a stream, whose chunks need be good only until the next one is asked for; `close` frees it early. */
export const forwardFrom = (chunks: AsyncIterable<Uint8Array>): ForwardBytes & { close(): Promise<void> } => {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);

  /** Up to `most` of the next bytes; none at the end. */
  const next = async (most: number): Promise<Uint8Array | undefined> => {
    while (held.byteLength === 0) {
      const step = await iterator.next();
      if (step.done === true) return undefined;
      held = step.value;
    }
    const part = held.subarray(0, most);
    held = held.subarray(part.byteLength);
    return part;
  };

  async function* stream(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      const part = await next(left);
      if (part === undefined) throw cut();
      left -= part.byteLength;
      yield part;
    }
  }

  return {
    async take(length) {
      const taken = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const part = await next(length - filled);
        if (part === undefined) break;
        taken.set(part, filled);
        filled += part.byteLength;
      }
      return taken.subarray(0, filled);
    },
    stream,
    async skip(length) {
      for await (const _ of stream(length));
    },
    async *rest() {
      for (let part = await next(Number.POSITIVE_INFINITY); part !== undefined; part = await next(Number.POSITIVE_INFINITY)) yield part;
    },
    async close() {
      await iterator.return?.();
    },
  };
};

const cut = () => broken('ends in the middle of an entry');
