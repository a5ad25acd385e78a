import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** A script that a plain child process can run; gone after the block that holds it. */
export interface Script extends Disposable {
  readonly path: string;
}

/** Bundles a TypeScript file. It stands below node_modules, so that it finds the packages it needs. */
export const bundle = async (entry: URL): Promise<Script> => {
  const folder = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-child-'));
  const path = join(folder, 'main.mjs');
  await build({
    entryPoints: [entry.pathname],
    outfile: path,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
};
