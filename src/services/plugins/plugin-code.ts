import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { resolvePath } from '../../lib/fs/resolve.ts';
import { installedAt, type PluginPlaces } from './discover.ts';
import { dependenciesIn, isLikePlugin, textAt } from './glance.ts';

/**
 * The files and directories that decide which code of plugins the next start runs. Packages may be links to elsewhere, as in workspaces:
 * then what they lead to counts, of a package that is no plugin the file that could make it one.
 */
export const pluginCode = ({ project, discover, paths }: PluginPlaces): readonly string[] => [
  ...(discover ? [join(project, 'package.json'), ...installedAt(project, ''), ...linkedDependencies(project)] : []),
  ...paths.flatMap((path) => [path, ...linksIn(path)]),
];

const linkedDependencies = (project: string): readonly string[] =>
  dependenciesIn(textAt(join(project, 'package.json')) ?? '').flatMap((name) =>
    installedAt(project, name).flatMap((place) => {
      const manifest = join(endOf(place), 'package.json');
      if (endOf(place) === place) return [];
      return [isLikePlugin(textAt(manifest) ?? '') ? endOf(place) : manifest];
    }),
  );

/** Where the links among the packages of a directory lead, those of scopes too. */
const linksIn = (path: string): readonly string[] => {
  const entries = entriesOf(path).flatMap((place) => (basename(place).startsWith('@') ? [place, ...entriesOf(place)] : [place]));
  return entries.filter((place) => endOf(place) !== place).map(endOf);
};

const entriesOf = (path: string): readonly string[] => {
  try {
    return readdirSync(path).map((name) => join(path, name));
  } catch {
    return []; // whoever loads plugins says that there are none
  }
};

/** Where a path ends, whether or not anything is there yet. */
const endOf = (path: string): string => {
  try {
    return resolvePath(path);
  } catch {
    return path; // out of reach, for whoever loads plugins too
  }
};
