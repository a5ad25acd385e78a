/** The part that is used of what every Node has; the types of Node leave it out. */
declare const WebAssembly: { readonly Memory: { readonly prototype: WasmMemory } };

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Keeps every memory of foreign code on this thread below a size: what asks for more fails as if there were none. */
export const limitWasm = (maxBytes: number): void => {
  const { prototype } = WebAssembly.Memory;
  const grow = prototype.grow;
  prototype.grow = function (this: WasmMemory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > maxBytes)
      throw new RangeError(`a memory of more than ${maxBytes} bytes is not allowed on this thread`);
    return grow.call(this, pages);
  };
};

const PAGE_BYTES = 64 * 1024;
