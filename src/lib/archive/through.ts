import { type Duplex, pipeline } from 'node:stream';

/** Sends a stream through a codec; an error of either side reaches the reader, and a reader that leaves frees both. */
export async function* through(chunks: AsyncIterable<Uint8Array>, codec: Duplex): AsyncGenerator<Uint8Array> {
  const out = pipeline(chunks, codec, () => {}); // the reader below is told
  for await (const chunk of out) yield chunk;
}
