import type { Example } from '../../../src/core/example.ts';
import type { Ready } from '../../../src/core/ready.ts';

/** An example of an action that writes, ready to be played while the device does its worst. */
export interface Scene {
  readonly name: string;
  readonly at: number;
  readonly example: Example;
}

/** Whether its examples need another machine: the tests of its family bring one. */
export const needsMachine = ({ action: { args, location, reachesOut } }: Ready): boolean =>
  location !== undefined || reachesOut === true || Object.values(args).some(({ roles }) => roles.includes('url'));

/** Whether an action changes files: what takes no path, such as stopping a watcher, changes only what the process remembers. */
const changesFiles = ({ about: { effects }, action: { args } }: Ready): boolean =>
  (effects.includes('writes') || effects.includes('removes')) && Object.values(args).some(({ roles }) => roles.length > 0);

/** Actions that change a store which the caller names: it is more than its bytes. */
export const storeUsersOf = (actions: readonly Ready[]): Ready[] => actions.filter((ready) => changesFiles(ready) && isOnStore(ready));
const isOnStore = ({ action }: Ready): boolean => 'db_path' in action.args;

/** Every example of every other action that changes files. */
export const scenesOf = (actions: readonly Ready[]): Scene[] =>
  actions
    .filter((ready) => changesFiles(ready) && !isOnStore(ready) && !needsMachine(ready))
    .flatMap(({ about: { name }, action: { examples } }) =>
      [...examples.entries()].flatMap(([at, example]) => (example.fails === undefined ? [{ name, at, example }] : [])),
    );
