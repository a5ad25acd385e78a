import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LOCATE_INDEXES, type LocateFiles } from './locate.ts';

/** A search index of the operating system. */
export interface OsIndex {
  readonly name: 'plocate' | 'locate' | 'mdfind' | 'es';
  /** The program that answers questions to it. */
  readonly program: string;
  /** Where it is kept and what it covers; absent where the system keeps it up to date by itself and does not tell. */
  readonly locate?: LocateFiles;
}

/** The search index of this system; undefined where there is none that can be asked. */
export const findOsIndex = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): OsIndex | undefined => {
  for (const { name, programs, files } of LOCATE_INDEXES) {
    const program = programs.map((each) => findProgram(each, env)).find((found) => found !== undefined);
    if (program !== undefined && isUsable(files.database, constants.F_OK)) return { name, program, locate: files };
  }
  const name = platform === 'darwin' ? 'mdfind' : platform === 'win32' ? 'es' : undefined;
  const program = name && findProgram(platform === 'win32' ? 'es.exe' : name, env);
  return name === undefined || program === undefined ? undefined : { name, program };
};

const findProgram = (name: string, env: Readonly<Record<string, string | undefined>>): string | undefined =>
  (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => isUsable(path, constants.X_OK));

const isUsable = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};
