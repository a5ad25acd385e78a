import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../core/ports.ts';
import type { PlainFunction } from '../../core/ready.ts';
import { installedAt, PACKAGE_NAME } from './discover.ts';
import { type Register, wordsOf } from './load-plugin.ts';
import { moduleInside, readManifest } from './manifest.ts';

export interface PackageParts {
  /** The working project, from which the package is looked for. */
  readonly project: string;
  readonly register: Register;
  readonly log: Log;
}

/**
 * Registers the functions of a package as `<package>_<member>`; answers how many, 0 where it cannot be imported. For programs only:
 * whoever can name a package here can run any code that is installed.
 */
export const loadPackage = async (name: string, { project, register, log }: PackageParts): Promise<number> => {
  let members: readonly (readonly [string, PlainFunction])[];
  try {
    members = functionsOf(await import(await moduleOf(name, project)));
  } catch (fault) {
    log('warn', `The package ${name} cannot be imported.`, { package: name, reason: wordsOf(fault) });
    return 0;
  }
  let registered = 0;
  for (const [member, fn] of members) {
    try {
      register(`${prefixOf(name)}_${member}`, fn);
      registered += 1;
    } catch (fault) {
      log('warn', `A member of the package ${name} cannot be an action.`, { package: name, member, reason: wordsOf(fault) });
    }
  }
  return registered;
};

const prefixOf = (name: string): string => name.replace(/^(?:@|node:)/, '').replaceAll(/[^A-Za-z0-9_.-]/g, '_');

const moduleOf = async (name: string, project: string): Promise<string> => {
  if (isBuiltin(name)) return name;
  if (!PACKAGE_NAME.test(name)) throw new Error('this is not the name of a package');
  for (const directory of installedAt(project, name)) {
    const manifest = await readManifest(directory);
    if (manifest === undefined) continue;
    const entry = entryOf(manifest.exports);
    const path =
      entry === undefined ? createRequire(join(directory, 'package.json')).resolve(directory) : await moduleInside(directory, entry);
    return pathToFileURL(path).href;
  }
  throw new Error(`it is not installed in ${project}`);
};

const CONDITIONS = ['node', 'import', 'module-sync', 'default', 'require'];

/** The module that `exports` of a package.json gives to whoever imports the package. */
const entryOf = (exports: unknown): string | undefined => {
  if (typeof exports === 'string') return exports;
  if (Array.isArray(exports)) return exports.map(entryOf).find((entry) => entry !== undefined);
  if (typeof exports !== 'object' || exports === null) return undefined;
  if ('.' in exports) return entryOf(exports['.']);
  const chosen = Object.entries(exports).find(([condition]) => CONDITIONS.includes(condition));
  return chosen && entryOf(chosen[1]);
};

/** The functions of a module; those of its default export where it is an old module whose members Node did not see. */
const functionsOf = (module: Readonly<Record<string, unknown>>): (readonly [string, PlainFunction])[] => {
  const { default: whole, 'module.exports': _, ...named } = module;
  const members = { ...(typeof whole === 'object' && whole !== null ? whole : {}), ...named };
  return Object.entries(members).flatMap(([member, value]) => (isCallable(value) ? [[member, value] as const] : []));
};

/** A class cannot be called. */
const isCallable = (value: unknown): value is PlainFunction =>
  typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value));
