import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { Family } from '../../src/core/action.ts';

/** A family with the folder it lives in. */
export interface LocatedFamily extends Family {
  readonly exportName: string;
}

/** Loads every family of `src/actions`, sorted by folder. The folders are the list: nothing else names them. */
export const loadFamilies = async (): Promise<LocatedFamily[]> => {
  const folders = readdirSync('src/actions')
    .filter((folder) => existsSync(`src/actions/${folder}/index.ts`))
    .sort();
  const source = folders.map((folder, at) => `export * as family${at} from './src/actions/${folder}/index.ts';`).join('\n');
  const work = mkdtempSync(join(process.cwd(), 'node_modules/.factotum-families-'));
  try {
    const outfile = join(work, 'families.mjs');
    await build({
      stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
      plugins: [withoutLazyImports],
    });
    const modules: Record<string, Record<string, Family>> = await import(pathToFileURL(outfile).href);
    return folders.map((folder, at) => onlyFamily(folder, modules[`family${at}`] ?? {}));
  } finally {
    rmSync(work, { recursive: true });
  }
};

/** What an action loads while it runs is not needed to read its definition. */
const withoutLazyImports: Plugin = {
  name: 'without-lazy-imports',
  setup: ({ onResolve }) =>
    onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
};

const onlyFamily = (folder: string, module: Record<string, Family>): LocatedFamily => {
  const [found, ...more] = Object.entries(module);
  if (found === undefined || more.length > 0) throw new Error(`src/actions/${folder}/index.ts must export exactly one family`);
  const [exportName, family] = found;
  if (family.name !== folder) throw new Error(`the family in src/actions/${folder} calls itself ${family.name}`);
  return { ...family, exportName };
};
