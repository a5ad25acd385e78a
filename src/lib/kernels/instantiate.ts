/** The memory of a kernel. Growing it makes a new buffer: take views afterwards. */
interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the platform that is used here: the types of Node leave it out, those of browsers are not ours. */
declare const WebAssembly: {
  readonly CompileError: new () => Error;
  readonly Memory: new (...args: never[]) => KernelMemory;
  readonly Global: new (...args: never[]) => { readonly value: unknown };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

/** A running kernel: its memory, its functions and its exported counters. */
export interface KernelInstance {
  readonly memory: KernelMemory;
  call(name: string, ...args: number[]): number;
  /** A function to be called often: without its name being looked up each time. */
  fn(name: string): (...args: number[]) => number;
  read(global: string): number;
}

const PAGE_BYTES = 65_536;

/**
 * Starts a kernel with at least so many bytes of memory. Compiling takes a fraction of a millisecond: nothing is kept between uses.
 * Undefined where this process has no WebAssembly (`--jitless`) or no room for it: each memory reserves gigabytes of addresses, which
 * limits such as `ulimit -v` count. Whoever uses a kernel has a slower way for that.
 */
export const instantiateKernel = (base64: string, memoryBytes: number): KernelInstance | undefined => {
  try {
    return start(base64, memoryBytes);
  } catch (fault) {
    if (typeof WebAssembly === 'undefined' || fault instanceof RangeError || fault instanceof WebAssembly.CompileError) return undefined;
    throw fault;
  }
};

const start = (base64: string, memoryBytes: number): KernelInstance => {
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  const { exports } = new WebAssembly.Instance(module, { env: { abort: failed } });
  const { memory } = exports;
  if (!(memory instanceof WebAssembly.Memory)) throw new TypeError('a kernel must export its memory');
  const missing = memoryBytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  const fn: KernelInstance['fn'] = (name) => {
    const found = exports[name];
    if (typeof found !== 'function') throw new TypeError(`the kernel has no function ${name}`);
    return found as (...args: number[]) => number; // kernels take and give 32-bit numbers only
  };
  return {
    memory,
    call: (name, ...args) => Number(fn(name)(...args)),
    fn,
    read(name) {
      const global = exports[name];
      if (!(global instanceof WebAssembly.Global)) throw new TypeError(`the kernel has no counter ${name}`);
      return Number(global.value);
    },
  };
};

const failed = (): never => {
  throw new Error('a kernel failed');
};
