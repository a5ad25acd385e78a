// SSH for SFTP: the code of ssh2 without its install script, which compiles what it can do without and which some package managers refuse.
import { join } from 'node:path';
import { build } from 'esbuild';

/** Lays it down as one file in `folder`. Its compiled parts are looked for at run time and not found, as it expects. */
export const buildSsh2 = (folder) =>
  build({
    entryPoints: [join('node_modules', 'ssh2', 'lib', 'index.js')],
    outfile: join(folder, 'index.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20.15',
    format: 'cjs',
    external: ['cpu-features', '*.node'],
    metafile: true,
    logLevel: 'warning',
  });
