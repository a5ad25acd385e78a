import { broken } from '../broken.ts';

type Library = typeof import('xz-decompress');

/** The content of an .xz file; its decoder refuses dictionaries of more than 64 MiB. */
export async function* unpackXz(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Old CommonJS: whether its names are seen from outside depends on who loads it.
  const library: Library & { readonly default?: Library } = await import('xz-decompress');
  const { XzReadableStream } = library.default ?? library;
  try {
    yield* new XzReadableStream(ReadableStream.from(chunks));
  } catch (fault) {
    throw isDecoderFault(fault) ? broken('is a damaged or cut xz file, or one whose dictionary is too large', {}, fault) : fault;
  }
}

const isDecoderFault = (fault: unknown): boolean => fault instanceof Error && fault.message.startsWith('get_next_output failed');
