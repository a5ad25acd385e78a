import { accessSync, closeSync, constants, lstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { StoreException } from '../../../core/errors.ts';
import { makeDirectories } from '../../../lib/fs/make-directories.ts';
import { codeOf } from '../../../lib/fs/system-fault.ts';

/** Makes a directory that only its owner can look into; refuses one that others can. */
export const makePrivateDirectory = (directory: string): void => {
  makeDirectories(directory, 0o700);
  demandOurWay(directory);
  demandPrivate(directory);
};

/**
 * Makes an empty file for its owner alone, unless there is one that can be written. SQLite gives the files beside a database the same
 * rights. An existing file is never opened here: closing it again would drop the locks that this process has on it.
 */
export const makeFile = (file: string): void => {
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600));
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault;
    accessSync(file, constants.R_OK | constants.W_OK); // SQLite would say less
  }
};

const OF_OTHERS = 0o077;

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Refuses a way that a link of somebody else is part of: they can make it lead to what they like. Links of the system's owner are fine. */
const demandOurWay = (directory: string): void => {
  if (process.platform === 'win32') return;
  const left = resolve(directory).split(sep).reverse();
  let here = '';
  let links = 0;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      here = dirname(here || sep);
      continue;
    }
    const at = join(here || sep, name);
    const entry = lstatSync(at);
    if (!entry.isSymbolicLink()) {
      here = at;
      continue;
    }
    if (![0, process.getuid?.()].includes(entry.uid)) throw foreignLink(directory, at);
    links += 1;
    if (links > MOST_LINKS) return; // the system itself refuses to go there
    const target = readlinkSync(at);
    if (target.startsWith(sep)) here = '';
    left.push(...target.split(sep).reverse());
  }
};

const foreignLink = (directory: string, link: string) =>
  new StoreException(
    `${directory} is reached through ${link}, a link of another user, who can make it lead elsewhere; name the directory itself.`,
    {
      context: { path: directory, link },
    },
  );

/** Refuses what others own or have any right to. */
export const demandPrivate = (path: string): void => {
  const { mode, uid } = statSync(path);
  if (process.platform === 'win32') return;
  if (uid !== process.getuid?.()) {
    throw new StoreException(`${path} belongs to another user, who could read and change what is stored; name a directory of your own.`, {
      context: { path, uid },
    });
  }
  if ((mode & OF_OTHERS) === 0) return;
  const rights = (mode & 0o777).toString(8).padStart(4, '0');
  throw new StoreException(`${path} has the rights ${rights}, so that others can see what is stored; run chmod go= ${path}.`, {
    context: { path, mode: rights },
  });
};
