import { actionFunction } from './action-function.ts';

/** Downloads a URL to a file; arguments have the names and the order of the action's. */
export const downloadFile = actionFunction('FA_download_file', 'downloadFile');
