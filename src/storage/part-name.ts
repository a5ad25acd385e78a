import { hash } from 'node:crypto';
import { isAbandoned, newPartName, ownerOfPart, readOwner } from '../lib/fs/part-name.ts';

/**
 * A name for a file that is on its way to a target beside it, where the protocol has nothing of its own for that: a tag of the target, so
 * that what broken writes have left for it can be told, and the name of a temporary file as they are made on disks.
 */
export const newStoragePartName = (target: string): string => `.${tagOf(target)}${newPartName()}`;

/** Whether a name is that of a file on its way; no list shows it. */
export const isStoragePart = (name: string): boolean => partIn(name) !== undefined;

/** Whether it is one for this target, whoever made it. */
export const isPartFor = (name: string, target: string): boolean => isStoragePart(name) && name.startsWith(`.${tagOf(target)}.`);

/** Writers on other machines cannot be asked whether they live; nobody stops for so long and goes on. */
const FORGOTTEN_MS = 24 * 3_600_000;

/** Whether a name was given for this target by a process that is gone; one of another machine is, when the file was not touched for a day. */
export const isForgottenPart = (name: string, target: string, untouchedMs: number): boolean => {
  const part = partIn(name);
  if (part === undefined || !isPartFor(name, target)) return false;
  return ownerOfPart(part)?.home === readOwner().home ? isAbandoned(part) : untouchedMs > FORGOTTEN_MS;
};

const TAGGED = /^\.[0-9a-f]{16}(\.factotum-.+)$/;

const partIn = (name: string): string | undefined => {
  const part = TAGGED.exec(name)?.[1];
  return part !== undefined && ownerOfPart(part) !== undefined ? part : undefined;
};

const tagOf = (target: string): string => hash('sha256', target, 'hex').slice(0, 16);
