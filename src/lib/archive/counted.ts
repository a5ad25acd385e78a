/** Tells how long each chunk is as it goes by. */
export async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.byteLength);
    yield chunk;
  }
}
