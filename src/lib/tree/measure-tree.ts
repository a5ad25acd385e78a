import { lstatSync } from 'node:fs';
import type { Grant } from '../../core/files.ts';
import { isOwnPlace } from '../fs/own-names.ts';
import { shownBytes, visitRaw } from '../fs/raw-names.ts';
import { codeOf } from '../fs/system-fault.ts';
import type { Visitor } from '../fs/walk.ts';
import { walkShared } from '../fs/walk-shared.ts';
import { alone } from './alone.ts';

/** How large a tree is. */
export interface Measured {
  /** Of its files. */
  bytes: number;
  files: number;
  /** Nothing of it lies on another device, and all of it could be looked at. */
  isWhole: boolean;
  /** A directory of ours that lies in it, from the root. */
  ownPlace?: string;
}

/** Adds up what is in a tree. */
export const measureTree = async (grant: Grant, { signal }: { readonly signal: AbortSignal }): Promise<Measured> => {
  const { dev } = lstatSync(grant.root);
  const measured: Measured = { bytes: 0, files: 0, isWhole: true };
  const visitor: Visitor = {
    seesOwn: true,
    wants: (_name, kind) => kind !== 'dir',
    enters: (name) => !isOwnPlace(name),
    begin(directory, entries) {
      const place = entries.find(({ name }) => isOwnPlace(name));
      if (place !== undefined) measured.ownPlace = directory.relative + place.name;
      if (lstatSync(`${directory.address()}/.`).dev !== dev) measured.isWhole = false;
      return measured.isWhole;
    },
    entry(name, _kind, directory) {
      measured.files += 1;
      measured.bytes += lstatSync(directory.address(name), { throwIfNoEntry: false })?.size ?? 0;
      return undefined;
    },
    raw(name, directory) {
      try {
        visitRaw(directory.address(), name, (address, kind) => {
          const stats = lstatSync(address);
          if (stats.dev !== dev) measured.isWhole = false;
          if (kind === 'dir') return;
          measured.files += 1;
          measured.bytes += stats.size;
        });
      } catch (fault) {
        if (codeOf(fault) === 'EKEPT') measured.ownPlace = directory.relative + shownBytes(name.bytes);
        measured.isWhole = false;
      }
    },
    unreadable() {
      measured.isWhole = false;
    },
  };
  for await (const _ of walkShared({ grant, signal, start: () => ({ visitor, end: () => measured }), ...alone }));
  return measured;
};
