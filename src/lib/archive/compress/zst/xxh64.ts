/** The check sum of zstd's contents: the lower half of a 64-bit xxHash. */
export interface Xxh64 {
  update(bytes: Uint8Array): void;
  /** Four bytes as they stand in a frame. */
  digest(): Uint8Array;
}

export const createXxh64 = async (): Promise<Xxh64> => {
  const { createXXHash64 } = await import('hash-wasm');
  const hasher = await createXXHash64();
  hasher.init();
  return {
    update: (bytes) => void hasher.update(bytes),
    digest: () => hasher.digest('binary').subarray(4).reverse(),
  };
};
