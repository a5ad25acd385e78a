// SQLite for versions of Node without a usable one of their own (docs/adr): the code and the binaries of @photostructure/sqlite, without its
// sources and its install script, which some package managers refuse and none needs.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const PACKAGE = join('node_modules', '@photostructure', 'sqlite');

/** Lays it down as `folder`/lib and `folder`/prebuilds: its code looks for binaries beside the folder that it lies in. */
export const buildSqlite = async (folder) => {
  await mkdir(folder, { recursive: true });
  await cp(join(PACKAGE, 'prebuilds'), join(folder, 'prebuilds'), { recursive: true });
  return build({
    entryPoints: [join(PACKAGE, 'dist', 'index.cjs')],
    outfile: join(folder, 'lib', 'index.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20.15',
    format: 'cjs',
    metafile: true,
    logLevel: 'warning',
  });
};
