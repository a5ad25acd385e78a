import { divide } from '../../lib/tree/divide.ts';
import type { TreeFault } from '../../lib/tree/tree-fault.ts';
import type { Decision } from './decide.ts';

/** The directory of an entry, `/` at its end; empty for the root, and for what is in it. */
export const directoryOf = (relative: string): string =>
  relative === '' ? '' : divide(relative.endsWith('/') ? relative : `${relative}/`)[0];

/** Directories at the target whose time changes with what is done in them, without those that are new. */
export const changedDirectories = ({ changed, missing, extras, inTheWay }: Decision): string[] => {
  const paths = [...changed, ...missing, ...extras.map(({ relative }) => relative), ...inTheWay.map(({ relative }) => relative)];
  return [...new Set(paths.map(directoryOf))];
};

/** The paths that nothing went wrong with. */
export const withoutFaults = (paths: readonly string[], faults: readonly TreeFault[]): string[] => {
  const failed = faults.filter(({ side }) => side === 'target').map(({ relative }) => relative);
  if (failed.length === 0) return [...paths];
  return paths.filter((path) => !failed.some((each) => path === each || path.startsWith(`${each}/`)));
};
