// libarchive.js 2.0.2 without its own JavaScript: of that the wasm needs next to nothing, and this way its memory is ours to limit.
// The letters are those of that build, so the version of the package is fixed and a new one needs a look at its glue code.
import { readFile } from 'node:fs/promises';

/** The reader, with one archive in its memory. */
export interface Libarchive {
  /** Takes the archive, whose size is known before. */
  load(chunks: AsyncIterable<Uint8Array>, bytes: number): Promise<void>;
  open(): void;
  /** Goes to the next entry; false at the end, and where the reader cannot go on. */
  next(): boolean;
  /** The next bytes of the entry, good until the next call. Fewer than asked for are filled up with anything: the caller compares check sums. */
  read(bytes: number): Uint8Array;
  /** What the reader complains about. */
  complaint(): string;
}

/** The part that is used of what every Node has; the types of Node leave it out. */
declare const WebAssembly: {
  compile(code: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<{ readonly exports: Exports }>;
};

type WasmModule = object;

interface Exports {
  /** The memory. */
  readonly C: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Constructors, to be called first. */
  D(): void;
  /** archive_open(bytes, size, passphrase, locale) */
  F(at: number, size: number, passphrase: number, locale: number): number;
  /** archive_error_string(archive) */
  H(archive: number): number;
  /** get_next_entry(archive) */
  I(archive: number): number;
  /** get_filedata(archive, size): a new buffer, or a negative number */
  J(archive: number, size: number): number;
  /** malloc(size) */
  K(size: number): number;
  /** free(pointer) */
  Q(pointer: number): void;
}

const PAGE_BYTES = 64 * 1024;
const LOCALE = Buffer.from('en_US.UTF-8\0');
const NO_SUCH_CALL = -52;
/** Files, pipes and clocks: reading from memory needs none of them. */
const UNUSED = ['a', 'i', 'q', 's', 't', 'u', 'v', 'w', 'x', 'y'];

/** Compiled once for each thread; every archive gets a memory of its own. */
let compiled: Promise<WasmModule> | undefined;

/** Loads the reader from the file of its code. */
export const loadLibarchive = async (wasmPath: string): Promise<Libarchive> => {
  compiled ??= readFile(wasmPath).then(WebAssembly.compile);
  const { exports } = await WebAssembly.instantiate(
    await compiled,
    importsOver(() => exports.C),
  );
  const heap = () => new Uint8Array(exports.C.buffer);
  const allocate = (bytes: number): number => {
    const at = exports.K(bytes) >>> 0;
    if (at === 0) throw new RangeError('the reader has no memory left');
    return at;
  };
  exports.D();
  let file = { at: 0, bytes: 0 };
  let archive = 0;
  let piece = 0;
  return {
    async load(chunks, bytes) {
      const at = allocate(Math.max(1, bytes));
      let filled = 0;
      for await (const chunk of chunks) {
        if (filled + chunk.byteLength > bytes) throw new RangeError('the archive is longer than it was');
        heap().set(chunk, at + filled);
        filled += chunk.byteLength;
      }
      file = { at, bytes: filled };
    },
    open() {
      const locale = allocate(LOCALE.byteLength);
      heap().set(LOCALE, locale);
      archive = exports.F(file.at, file.bytes, 0, locale);
    },
    next: () => archive !== 0 && exports.I(archive) !== 0,
    read(bytes) {
      if (piece !== 0) exports.Q(piece);
      const at = exports.J(archive, bytes);
      piece = at < 0 && at > -100 ? 0 : at;
      if (piece === 0) throw new Error('the reader cannot go on');
      return heap().subarray(at >>> 0, (at >>> 0) + bytes);
    },
    complaint: () => (archive === 0 ? 'it cannot be opened' : textAt(heap(), exports.H(archive) >>> 0)),
  };
};

const textAt = (heap: Uint8Array, at: number): string => {
  if (at === 0) return 'no reason is given';
  const end = heap.indexOf(0, at);
  return Buffer.from(heap.subarray(at, Math.min(end, at + 200))).toString('utf8');
};

/** What the code asks of its surroundings. */
const importsOver = (memory: () => Exports['C']) => {
  const view = () => new DataView(memory().buffer);
  const stop = () => {
    throw new Error('the reader gave up');
  };
  return {
    a: {
      ...Object.fromEntries(UNUSED.map((letter) => [letter, () => NO_SUCH_CALL])),
      // abort and exit
      b: stop,
      g: stop,
      // the time: now, whether it only grows, and conversions that nobody looks at
      c: () => 0,
      B: () => 1,
      f: () => 0,
      k() {},
      l() {},
      m: () => 0,
      n: () => 0,
      r() {},
      // memcpy
      h: (to: number, from: number, bytes: number) =>
        void new Uint8Array(memory().buffer).copyWithin(to >>> 0, from >>> 0, (from >>> 0) + (bytes >>> 0)),
      // More memory: refused where the thread has its limit.
      p(wanted: number): number {
        const missing = (wanted >>> 0) - memory().buffer.byteLength;
        try {
          memory().grow(Math.ceil(Math.max(0, missing) / PAGE_BYTES));
          return 1;
        } catch {
          return 0;
        }
      },
      // An empty environment
      z: () => 0,
      A(countAt: number, bytesAt: number): number {
        view().setUint32(countAt, 0, true);
        view().setUint32(bytesAt, 0, true);
        return 0;
      },
      // Files: nothing to read, and what is said to standard error goes nowhere
      e: () => 0,
      j: () => NO_SUCH_CALL,
      o: () => NO_SUCH_CALL,
      d(_file: number, partsAt: number, parts: number, writtenAt: number): number {
        let written = 0;
        for (let part = 0; part < parts; part += 1) written += view().getUint32(partsAt + part * 8 + 4, true);
        view().setUint32(writtenAt, written, true);
        return 0;
      },
    },
  };
};
