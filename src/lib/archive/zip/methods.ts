import type { ByteSource } from '../byte-source.ts';
import { type CompressionName, compressionCalled } from '../compress/compressions.ts';
import { METHOD_DEFLATED, METHOD_STORED } from './records.ts';
import type { ZipEntry } from './zip-entry.ts';

/** Methods whose contents are files of their own. */
const STREAMS: ReadonlyMap<number, CompressionName> = new Map([
  [12, 'bz2'],
  [20, 'zst'], // as it was called before
  [93, 'zst'],
  [95, 'xz'],
]);
/** LZMA and PPMd, which only foreign code knows. */
const FOREIGN = new Set([14, 98]);
const OWN = new Set([METHOD_STORED, METHOD_DEFLATED]);

/** Whether contents packed by this method can be read; what is encrypted only where the library for that knows it too. */
export const isKnownMethod = (method: number, isEncrypted: boolean): boolean =>
  OWN.has(method) || (!isEncrypted && (STREAMS.has(method) || FOREIGN.has(method)));

/** Whether unpacking needs threads of its own. */
export const needsThread = (method: number): boolean => !OWN.has(method);

/** Unpacks a content that is neither stored nor deflated. */
export async function* unpackedBy(source: ByteSource, entry: ZipEntry, contentAt: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const name = STREAMS.get(entry.method);
  const range = { start: contentAt, end: contentAt + entry.packedSize };
  if (name !== undefined) return yield* compressionCalled(name).unpack(source.stream(range), { signal });
  const [{ unpackedForeign }, { loneEntry }] = await Promise.all([import('../foreign/unpack.ts'), import('./lone-entry.ts')]);
  const alone = loneEntry(source, { ...entry, flags: entry.flags & ~SIZES_FOLLOW }, contentAt);
  const steps = [{ size: entry.size, use: 'give' }] as const;
  yield* unpackedForeign({ format: 'zip', bytes: alone.size, stream: () => alone.stream(), steps }, signal);
}

/** Sizes stand behind the content: no longer true, because they are known. */
const SIZES_FOLLOW = 0x08;
