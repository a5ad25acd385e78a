import type { ActionMap } from '../actions.generated.ts';
import { callAction } from './call-action.ts';

type SyncOptions = Omit<ActionMap['FA_sync_dir']['args'], 'src' | 'dst'>;

/** Makes a directory tree like another one; options have the names of the action's arguments. */
export const syncDir = (src: string, dst: string, options: SyncOptions = {}) => callAction('FA_sync_dir', { src, dst, ...options });
