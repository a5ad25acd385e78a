// A part of the sources alone, bundled: it is measured without the rest of the program.
import { join } from 'node:path';
import { build } from 'esbuild';

/** `entry` are exports as a module would write them from the root of the project; the network is always among them. */
export const loadSources = async (folder, entry) => {
  const outfile = join(folder, 'sources.mjs');
  const contents = `${entry}\nexport { createNetwork } from './src/lib/net/network.ts';`;
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return import(outfile);
};
