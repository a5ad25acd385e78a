import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './system-fault.ts';

/**
 * Makes a directory with all that is missing above it. Node's own `recursive` never ends where a directory that is there lets nothing be
 * made and calls that missing, as /proc does.
 */
export const makeDirectories = (directory: string, mode?: number): void => {
  try {
    makeUnlessThere(directory, mode);
  } catch (fault) {
    const parent = dirname(directory);
    if (codeOf(fault) !== 'ENOENT' || isThere(parent)) throw fault;
    makeDirectories(parent, mode);
    makeUnlessThere(directory, mode);
  }
};

const makeUnlessThere = (directory: string, mode: number | undefined): void => {
  try {
    mkdirSync(directory, mode);
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST' || statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw fault;
  }
};

/** The root is its own parent, so climbing ends there. */
const isThere = (path: string): boolean => path === dirname(path) || statSync(path, { throwIfNoEntry: false }) !== undefined;
