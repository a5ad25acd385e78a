import { statAt } from '../entry.ts';
import type { Inverse } from './inverse.ts';
import { identityAt } from './stamp.ts';

/**
 * Whether a change that was written down has left something to take back. It is written down before it is made, and work that fails
 * takes away again what it has made. Where that cannot be seen it counts as happened.
 */
export const hasHappened = (change: Inverse): boolean => {
  switch (change.undo) {
    case 'remove':
    case 'remove_dir':
    case 'discard':
      return statAt(change.path) !== undefined;
    case 'make_dir':
      return statAt(change.path) === undefined;
    case 'put_back':
    case 'link_back':
      return identityAt(change.path) !== change.identity;
    case 'cut':
      return statAt(change.path)?.size !== change.start;
    case 'impossible':
      return false;
    default:
      return true;
  }
};
