import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Manifest, readManifest } from './manifest.ts';

/** Where plugins are looked for. */
export interface PluginPlaces {
  /** The working project: packages that its package.json names are looked at. */
  readonly project: string;
  /** False: only `paths`. */
  readonly discover: boolean;
  /** Directories that are packages or hold some. */
  readonly paths: readonly string[];
}

/** A package that offers actions; none of its code has run. */
export interface FoundPlugin {
  readonly package: string;
  readonly version: string | null;
  readonly path: string;
  /** `factotum.actions` as written. */
  readonly actions: unknown;
}

/** Told of a place that could not be looked at. */
export type Complain = (name: string, fault: unknown) => void;

/** Looks for plugins: first in the project, then in the paths, each package once. */
export const findPlugins = async ({ project, discover, paths }: PluginPlaces, complain: Complain): Promise<readonly FoundPlugin[]> => {
  const found = new Map<string, FoundPlugin>();
  const look = async (directory: string, name: string): Promise<Manifest | undefined> => {
    try {
      const manifest = await readManifest(directory);
      if (manifest?.actions !== undefined) {
        const path = await realpath(directory);
        if (!found.has(path)) found.set(path, { package: manifest.name, version: manifest.version, path, actions: manifest.actions });
      }
      return manifest;
    } catch (fault) {
      complain(name, fault);
      return undefined;
    }
  };

  if (discover) {
    for (const name of await dependenciesOf(project, complain)) {
      for (const directory of installedAt(project, name)) if ((await look(directory, name)) !== undefined) break;
    }
  }
  for (const path of paths) {
    if ((await look(path, path)) !== undefined) continue;
    for (const directory of await packagesIn(path, complain)) await look(directory, directory);
  }
  return [...found.values()];
};

const dependenciesOf = async (project: string, complain: Complain): Promise<readonly string[]> => {
  try {
    return ((await readManifest(project))?.dependencies ?? []).filter((name) => PACKAGE_NAME.test(name));
  } catch (fault) {
    complain(project, fault);
    return [];
  }
};

/** What npm calls a package: nothing that leads elsewhere. */
export const PACKAGE_NAME = /^(?:@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i;

/** Where Node looks for a package, nearest first. */
export const installedAt = (from: string, name: string): string[] => {
  const places: string[] = [];
  for (let directory = from; ; directory = dirname(directory)) {
    places.push(join(directory, 'node_modules', name));
    if (dirname(directory) === directory) return places;
  }
};

/** The directories in a directory, and those in directories that stand for a scope. */
const packagesIn = async (path: string, complain: Complain): Promise<readonly string[]> => {
  const inside = await directoriesIn(path, complain);
  const all: string[] = [];
  for (const each of inside) all.push(...(basename(each).startsWith('@') ? await directoriesIn(each, complain) : [each]));
  return all;
};

const directoriesIn = async (path: string, complain: Complain): Promise<readonly string[]> => {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(path, name))
      .sort();
  } catch (fault) {
    complain(path, fault);
    return [];
  }
};
