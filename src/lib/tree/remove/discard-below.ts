import { chmodSync } from 'node:fs';
import { createWalk } from '../../fs/walk.ts';
import { divide } from '../divide.ts';
import { removePart } from './remove-part.ts';

/** Removes a directory of ours that did not get its name, whatever its modes. Never fails: what cannot go now is swept later. */
export const discardBelow = (root: string, relative: string): void => {
  const [parent, name] = divide(relative);
  const { visitor } = removePart({ root })(() => false);
  const opening = {
    ...visitor,
    enters(inner: string, directory: { address(name?: string): string }) {
      try {
        chmodSync(directory.address(inner), 0o700);
      } catch {
        // then it cannot be entered either, which is told and passed over
      }
      return true;
    },
  };
  const grant = { root, access: 'remove', byHandles: true, dry: false, counters: new SharedArrayBuffer(16) } as const;
  using walk = createWalk(grant, opening, [{ relative: parent, steps: [`${name}/`] }]);
  walk.run();
};
