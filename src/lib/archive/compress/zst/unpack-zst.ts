import { broken } from '../../broken.ts';
import { type ForwardBytes, forwardFrom } from '../../forward-bytes.ts';
import { exactly, readFrameHeader } from './frame-header.ts';
import { createXxh64 } from './xxh64.ts';

/** The content of a zstd file, frame by frame; what the decoder leaves out is done here: check sums, skippable frames, a limit on memory. */
export async function* unpackZst(
  chunks: AsyncIterable<Uint8Array>,
  { lenient }: { readonly lenient: boolean },
): AsyncGenerator<Uint8Array> {
  const bytes = forwardFrom(chunks);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const header = await readFrameHeader(bytes, { isFirst, lenient });
      if (header === undefined) return;
      if (header.kind === 'skippable') await bytes.skip(header.size);
      else yield* unpackFrame(bytes, header.bytes, header.hasChecksum);
    }
  } finally {
    await bytes.close();
  }
}

async function* unpackFrame(bytes: ForwardBytes, header: Buffer, hasChecksum: boolean): AsyncGenerator<Uint8Array> {
  const { Decompress } = await import('fzstd');
  const xxh64 = await createXxh64();
  let ready: Uint8Array[] = [];
  const decoder = new Decompress((chunk) => ready.push(chunk.slice()));
  const push = (part: Uint8Array, isEnd: boolean): Uint8Array[] => {
    try {
      decoder.push(part, isEnd);
    } catch (fault) {
      throw broken('is a damaged zstd file', {}, fault);
    }
    const out = ready;
    ready = [];
    for (const chunk of out) xxh64.update(chunk);
    return out;
  };
  yield* push(header, false);
  for (let isLast = false; !isLast; ) {
    const head = await exactly(bytes, 3);
    const word = head.readUIntLE(0, 3);
    isLast = (word & 1) === 1;
    const block = await exactly(bytes, ((word >> 1) & 3) === 1 ? 1 : word >> 3);
    yield* push(Buffer.concat([head, block]), isLast && !hasChecksum);
  }
  if (!hasChecksum) return;
  const stored = await exactly(bytes, 4);
  yield* push(stored, true);
  if (!stored.equals(xxh64.digest())) throw broken('is a damaged zstd file');
}
