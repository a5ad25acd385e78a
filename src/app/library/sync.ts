import { actionFunction } from './action-function.ts';

/** Makes a directory tree like another one; arguments have the names and the order of the action's. */
export const syncDir = actionFunction('FA_sync_dir', 'syncDir');
