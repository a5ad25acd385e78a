import { broken } from '../broken.ts';

type Library = typeof import('xz-decompress');

/** The content of an .xz file. Its decoder takes dictionaries up to 64 MiB, the check sums crc32 and crc64, and no filters but the usual. */
export async function* unpackXz(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Old CommonJS: whether its names are seen from outside depends on who loads it.
  const library: Library & { readonly default?: Library } = await import('xz-decompress');
  const { XzReadableStream } = library.default ?? library;
  try {
    yield* new XzReadableStream(ReadableStream.from(chunks));
  } catch (fault) {
    const code = fault instanceof Error ? DECODER_FAULT.exec(fault.message)?.[1] : undefined;
    throw code === undefined ? fault : broken(REASONS.get(code) ?? 'is a damaged or cut xz file', {}, fault);
  }
}

const DECODER_FAULT = /^get_next_output failed with error code (\d+)$/;

const REASONS: ReadonlyMap<string, string> = new Map([
  ['4', 'is an xz file that needs a dictionary of more than 64 MiB to be unpacked'],
  ['6', 'is an xz file with a check sum or filter that is not supported'],
]);
