import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Set by the build of the command line, whose threads start from its own chunks. */
declare const FACTOTUM_WORKER: string | undefined;

/** Where the build puts the entry of a thread, seen from the chunk that holds this file. */
const EMITTED = typeof FACTOTUM_WORKER === 'string' ? [FACTOTUM_WORKER] : ['./pool.worker.js', '../pool.worker.js'];

/** The module a thread starts from; undefined where there is none, as in a file bundled for one run. */
export const workerUrl = async (): Promise<URL | undefined> => {
  const emitted = EMITTED.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (emitted !== undefined) return emitted;
  const source = new URL('./pool.worker.ts', import.meta.url);
  if (!existsSync(source)) return undefined;
  fromSource ??= compiled(source);
  return fromSource;
};

let fromSource: Promise<URL> | undefined;

/**
 * Only where the TypeScript sources themselves run, as in tests: there the development tools are installed. The result is one module
 * without a file, so nothing is left behind; packages are named by their full address, because such a module has no place to search from.
 */
const compiled = async (source: URL): Promise<URL> => {
  const compiler = 'esbuild'; // by a name that no bundler follows
  const { build }: typeof import('esbuild') = await import(compiler);
  const require = createRequire(source);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    plugins: [
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
