import { actionFunction } from '../library/action-function.ts';

/** Downloads a URL to a file. */
export const download_file = actionFunction('FA_download_file', 'download_file');
