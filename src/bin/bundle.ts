import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { openCodeCache } from './code-cache.ts';
import { lazily } from './lazily.ts';
import { createClock, randomBytes } from './substitutes.ts';

/** Set by the build. */
declare const SHARED_FILE: string;

/** The command line's own files, as the build wrote them: objects of CommonJS chunks, which name each other as `./chunk.js`. */
interface Bundle {
  /** Reads the file with the chunks that are one module; any other has a file of its own name, or is among the shared ones. */
  readCore(file: string): void;
  load(name: string): object;
  /** Keeps the compiled code for the next start; called when the work is done, so that it holds what was used. */
  keepCode(): void;
}

/** Parts of Node that are not there when it starts and take milliseconds to load. */
const SLOW = new Set(
  [
    'child_process',
    'crypto',
    'dns',
    'dns/promises',
    'fs/promises',
    'http',
    'http2',
    'https',
    'net',
    'perf_hooks',
    'readline',
    'stream',
    'stream/consumers',
    'stream/promises',
    'timers/promises',
    'tls',
    'tty',
    'worker_threads',
    'zlib',
  ].map((name) => `node:${name}`),
);

/** A module as the build wraps it. */
type Chunk = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  __import: unknown,
  __meta: unknown,
  __now: () => number,
) => void;

/** Chunks that are one module: it gives functions that run one of them, once, and give its exports. */
type Core = (
  require: (name: string) => unknown,
  module: { exports: object },
  __import: unknown,
  __meta: unknown,
  __now: () => number,
) => Readonly<Record<string, () => object>>;

/**
 * Loads chunks with V8's code cache, which halves the start. Chunks cannot be ES modules for that, so the build turns `import()` of a
 * chunk into `__import(name, packages)`: the packages that the chunk needs are imported first, since many of them cannot be required.
 * Without a name it gives the package itself, and `__import.any` what is named only at run time. Nothing else imports: code from
 * the cache has lost its loader.
 */
export const openBundle = (dir: string, command: string, { isThread = false } = {}): Bundle => {
  const cache = openCodeCache(join(dir, 'cache'), command, { isThread });
  const chunks = new Map<string, Chunk>();
  const modules = new Map<string, { exports: object }>();
  const packages = new Map<string, unknown>();
  let core: ReturnType<Core> = {};
  const now = createClock();
  const meta = {
    /** What `import.meta.url` is in a chunk: workers and data files lie beside the library's chunks, one folder up. */
    get url() {
      return pathToFileURL(join(dir, '..', 'index.js')).href;
    },
  };

  const evaluate = (file: string): unknown => {
    const filename = join(dir, file);
    const source = readFileSync(filename, 'latin1'); // the build writes ASCII
    return cache.compile(file, (cachedData) => new Script(source, { filename, cachedData })).runInThisContext();
  };

  const read = (file: string) => {
    for (const [name, chunk] of Object.entries(evaluate(file) as Record<string, Chunk>)) chunks.set(name, chunk); // as the build wrote it
  };

  const readCore = (file: string) => {
    core = (evaluate(file) as Core)(requireInside, { exports: {} }, imports, meta, now); // as the build wrote it
  };

  const load = (name: string): object => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const runInCore = core[name];
    if (runInCore !== undefined) {
      const exports = runInCore();
      modules.set(name, { exports });
      return exports;
    }
    if (!chunks.has(name)) read(existsSync(join(dir, name)) ? name : SHARED_FILE);
    const module = { exports: {} };
    modules.set(name, module);
    chunks.get(name)?.(module.exports, requireInside, module, imports, meta, now);
    return module.exports;
  };

  const requireInside = (name: string): unknown => {
    if (name.startsWith('./')) return load(name);
    const known = packages.get(name);
    if (known !== undefined) return known;
    const found = SLOW.has(name) ? lazily(() => requireSlow(name), name === 'node:crypto' ? { randomBytes } : {}) : require(name);
    packages.set(name, found);
    return found;
  };

  const requireSlow = (name: string): object => {
    if (name === 'node:worker_threads') cache.tellThreads();
    return require(name);
  };

  const importChunk = async (name: string, needed: readonly string[]): Promise<object> => {
    for (const each of needed) {
      // The mark tells compiled code that `default` is the package's own.
      if (!packages.has(each)) packages.set(each, { __esModule: true, ...(await import(each)) });
    }
    return name === '' ? (packages.get(needed[0] ?? '') as object) : load(name); // it was imported in the loop above
  };

  const imports = Object.assign(importChunk, { any: (specifier: string): Promise<unknown> => import(specifier) });

  return { readCore, load, keepCode: cache.keep };
};
