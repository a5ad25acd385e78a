import { hash, randomBytes } from 'node:crypto';
import { sep } from 'node:path';
import { isKeptPart, ownerOfPart, PREFIX } from './part-name.ts';

/**
 * The one rule by which our own files are told from those of users: an exact name with an id of 128 bits in it, which nobody gives a file
 * by accident. Whatever lists, walks, watches or packs leaves such names out, whoever asks and on every file system.
 */
export const isOwnName = (name: string): boolean =>
  name.startsWith(PREFIX) && (PLACE.test(name) || isKeptPart(name) || ownerOfPart(name) !== undefined);

/** Whether a name is that of a directory in which we keep something for longer than one command; temporary files have other names. */
export const isOwnPlace = (name: string): boolean => name.startsWith(PREFIX) && PLACE.test(name);

/** The first directory of ours on the way of a path, with what leads to it; undefined where there is none. */
export const ownPlaceIn = (path: string): string | undefined => {
  if (!path.includes(PREFIX)) return undefined; // nearly every path
  const names = path.split(sep);
  const at = names.findIndex(isOwnPlace);
  return at < 0 ? undefined : names.slice(0, at + 1).join(sep);
};

/** Whether a path, from anywhere and with `/`, leads to or through something of ours. */
export const leadsToOwn = (path: string): boolean => path.includes(PREFIX) && path.split('/').some(isOwnName);

/** Without what is ours; the same list where there is nothing, which is nearly always so. */
export const withoutOwn = <E extends { readonly name: string }>(entries: readonly E[]): readonly E[] =>
  entries.some(({ name }) => isOwnName(name)) ? entries.filter(({ name }) => !isOwnName(name)) : entries;

/** Each state has its own directory for old files on a file system, so that nobody takes those of another state for forgotten ones. */
export const keptAsideName = (stateDirectory = ''): string =>
  `${PREFIX}undo-${process.getuid?.() ?? 0}-${hash('sha256', stateDirectory, 'hex').slice(0, 32)}`;

/** The name of a directory of ours in a state directory. */
export const ownDirectoryName = (use: 'spool' | 'journals' | 'writers' | `writers-${number}`): string => `${PREFIX}${use}-${STATE_ID}`;

/** The name of a directory of this process for one piece of work, which nobody can foresee. */
export const ownWorkName = (): string => `${PREFIX}work-${process.pid}-${randomBytes(16).toString('hex')}`;

/** The process that a directory for one piece of work belongs to; undefined for any other name. */
export const ownerOfWork = (name: string): number | undefined => {
  const found = WORK.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
};

const WORK = /^\.factotum-work-([0-9]{1,10})-[0-9a-f]{32}$/;

const PLACE = /^\.factotum-(?:undo-[0-9]{1,10}|writers-[0-9]{1,10}|work-[0-9]{1,10}|spool|journals|writers)-[0-9a-f]{32}$/;
/** There is one of each in a state directory, so the id only makes the names unmistakable. */
const STATE_ID = '7c1f0b5ad3e94c28a6d2915f4be80c37';
