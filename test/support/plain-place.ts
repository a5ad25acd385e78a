import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether a path is reached without links: only there may a tree of random links grow, else it would grow beyond its root. */
export const isPlainPlace = (path: string): boolean => realpathSync(dirname(path)) === dirname(path);
