import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/** What a package.json says that matters here. Nothing in it is trusted to have its proper type. */
export interface Manifest {
  readonly name: string;
  readonly version: string | null;
  /** The module with actions, as written: `factotum.actions`. */
  readonly actions: unknown;
  /** Names of packages that it depends on directly. */
  readonly dependencies: readonly string[];
  readonly exports: unknown;
}

/** The package.json of a directory; undefined where there is none. Throws where it cannot be read. */
export const readManifest = async (directory: string): Promise<Manifest | undefined> => {
  let text: string;
  try {
    text = await readFile(join(directory, 'package.json'), 'utf8');
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR')) return undefined;
    throw fault;
  }
  const written = recordOf(JSON.parse(text));
  return {
    name: typeof written.name === 'string' ? written.name : directory,
    version: typeof written.version === 'string' ? written.version : null,
    actions: recordOf(written.factotum).actions,
    dependencies: ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((key) => Object.keys(recordOf(written[key]))),
    exports: written.exports,
  };
};

/** An object as a table of unknown values; anything else as an empty one. */
const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}; // its values are unknown all the same

/** The real path of a module of a package; throws where it is missing or lies outside. */
export const moduleInside = async (directory: string, written: string): Promise<string> => {
  const [root, path] = await Promise.all([realpath(directory), realpath(join(directory, written))]);
  const below = relative(root, path);
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below))
    throw new Error(`${written} lies outside the package`);
  return path;
};
