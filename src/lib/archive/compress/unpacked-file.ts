import type { ByteSource } from '../byte-source.ts';
import { counted } from '../counted.ts';
import { type ArchiveLimits, createMeter } from '../limits.ts';
import type { Compression } from './compression.ts';

interface UnpackedOptions {
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal;
  readonly lenient?: boolean;
}

/** The content of a compressed file, which may not grow beyond all proportion. */
export async function* unpackedFile(
  source: ByteSource,
  compression: Compression,
  { limits, signal, lenient = false }: UnpackedOptions,
): AsyncGenerator<Uint8Array> {
  const meter = createMeter({ maxRatio: limits.maxRatio });
  for await (const chunk of compression.unpack(counted(source.stream(), meter.consumed), { signal, lenient })) {
    signal.throwIfAborted();
    meter.produced(chunk.byteLength);
    yield chunk;
  }
}
