import type { Compression } from './compression.ts';

/** All compressions; the code of each is loaded when it is used. */
export const COMPRESSIONS: readonly Compression[] = [
  {
    name: 'gz',
    magic: Uint8Array.of(0x1f, 0x8b, 8),
    pack: lazily(async () => (await import('./gz.ts')).packGz),
    unpack: lazily(async () => (await import('./gz.ts')).unpackGz),
  },
  {
    name: 'bz2',
    magic: Uint8Array.from(Buffer.from('BZh')),
    pack: lazily(async () => (await import('./by-program.ts')).packBz2),
    unpack: lazily(async () => (await import('./bz2/unpack-bz2.ts')).unpackBz2),
  },
  {
    name: 'xz',
    magic: Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0),
    pack: lazily(async () => (await import('./by-program.ts')).packXz),
    unpack: lazily(async () => (await import('./unpack-on-thread.ts')).unpackOnThread('xz')),
  },
  {
    name: 'zst',
    magic: Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd),
    pack: lazily(async () => (await import('./zst/pack-zst.ts')).packZst),
    unpack: lazily(async () => (await import('./unpack-on-thread.ts')).unpackOnThread('zst')),
  },
];

export type CompressionName = Compression['name'];

/** The compression that a name stands for. */
export const compressionCalled = (name: CompressionName): Compression => {
  const found = COMPRESSIONS.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`no compression ${name}`);
  return found;
};

function lazily(load: () => Promise<Compression['unpack']>): Compression['unpack'] {
  return async function* (chunks, options) {
    yield* (await load())(chunks, options);
  };
}
