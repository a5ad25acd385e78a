import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Set by the build of the command line, whose threads start from its own chunks. */
declare const FACTOTUM_WORKER: string | undefined;

/** Where the build puts the entry of a thread, seen from the chunk that holds this file. */
const EMITTED = typeof FACTOTUM_WORKER === 'string' ? [FACTOTUM_WORKER] : ['./pool.worker.js', '../pool.worker.js'];

/** The module a thread starts from; undefined where there is none, as in a file bundled for one run. */
export const workerUrl = async (): Promise<URL | undefined> =>
  threadUrl(
    EMITTED.map((place) => new URL(place, import.meta.url)),
    new URL('./pool.worker.ts', import.meta.url),
  );

/** The first of the emitted modules that is there, else what the source is compiled to. */
export const threadUrl = async (emitted: readonly URL[], source: URL): Promise<URL | undefined> => {
  const built = emitted.find((url) => existsSync(url));
  if (built !== undefined) return built;
  if (!existsSync(source)) return undefined;
  const known = getEnvironmentData(source.href); // compiled by the thread that started this one, or for an earlier one
  if (typeof known === 'string') return new URL(known);
  const compiling = fromSource.get(source.href) ?? compiled(source);
  fromSource.set(source.href, compiling);
  const url = await compiling;
  setEnvironmentData(source.href, url.href);
  return url;
};

const fromSource = new Map<string, Promise<URL>>();

/**
 * Only where the TypeScript sources themselves run, as in tests: there the development tools are installed. The result is one module
 * without a file, so nothing is left behind; packages are named by their full address, because such a module has no place to search from.
 */
const compiled = async (source: URL): Promise<URL> => {
  const compiler = 'esbuild'; // by a name that no bundler follows
  const require = createRequire(source);
  const { build }: typeof import('esbuild') = require(compiler);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    define: { 'import.meta.url': 'ownUrlOfModule' },
    logLevel: 'error',
    plugins: [
      {
        name: 'files know where they stand',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
            contents: `const ownUrlOfModule = ${JSON.stringify(pathToFileURL(path).href)};\n${await readFile(path, 'utf8')}`,
            loader: 'ts',
          })),
      },
      {
        name: 'packages by address',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path }) => ({
            path: isBuiltin(path) ? path : pathToFileURL(require.resolve(path)).href,
            external: true,
          })),
      },
    ],
  });
  const code = Buffer.concat(outputFiles.map(({ contents }) => contents));
  return new URL(`data:text/javascript;base64,${code.toString('base64')}`);
};
