import type { ByteSource } from '../byte-source.ts';
import { counted } from '../counted.ts';
import { type ArchiveLimits, createMeter } from '../limits.ts';
import type { Compression } from './compression.ts';

interface UnpackOptions {
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal;
}

/** The content of a compressed file, which may not grow beyond all proportion. */
export async function* unpackedFile(
  source: ByteSource,
  compression: Compression,
  { limits, signal }: UnpackOptions,
): AsyncGenerator<Uint8Array> {
  const meter = createMeter({ maxRatio: limits.maxRatio });
  for await (const chunk of compression.unpack(counted(source.stream(), meter.consumed), { signal })) {
    signal.throwIfAborted();
    meter.produced(chunk.byteLength);
    yield chunk;
  }
}
