import type { Progress } from '../../core/progress.ts';

/** Passes chunks on and tells the progress of their bytes. */
export async function* counted(chunks: AsyncIterable<Uint8Array>, { advance }: Pick<Progress, 'advance'>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    advance(chunk.byteLength);
    yield chunk;
  }
}
