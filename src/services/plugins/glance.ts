import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether a project may have plugins, told at a glance: every command that runs in a project of Node asks, and nearly all have none.
 * Where in doubt it says yes, and whoever loads them finds out.
 */
export const mayHavePlugins = (project: string): boolean => {
  const text = textAt(join(project, 'package.json'));
  return text !== undefined && /"\w*[dD]ependencies"/.test(text) && dependenciesIn(text).some((name) => mayBePlugin(project, name));
};

/** The packages that the text of a package.json names. */
export const dependenciesIn = (text: string): readonly string[] => {
  try {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(text);
    return Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  } catch {
    return []; // a broken package.json names none
  }
};

/** Whether the package that Node would find says anything about factotum. */
const mayBePlugin = (project: string, name: string): boolean => {
  for (let directory = project; ; directory = dirname(directory)) {
    const text = textAt(join(directory, 'node_modules', name, 'package.json'));
    if (text !== undefined) return isLikePlugin(text);
    if (dirname(directory) === directory) return false;
  }
};

/** Whether the text of a package.json says anything about factotum. */
export const isLikePlugin = (text: string): boolean => text.includes('"factotum"');

/** The text of a file; undefined where it cannot be read. */
export const textAt = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
