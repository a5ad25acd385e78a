import { createFileWatch } from '../../services/config/file-watch.ts';
import type { Reload } from './reload.ts';

const INTERVAL_MS = 2_000;

/** Takes the configuration over whenever its file changes; without a file there is nothing to look at. */
export const followFile = ({ current: { path, text }, follow }: Reload): AsyncDisposable => {
  const watch = path === undefined ? undefined : createFileWatch({ path, text, intervalMs: INTERVAL_MS, onChange: follow });
  watch?.start();
  return {
    async [Symbol.asyncDispose]() {
      await watch?.close();
    },
  };
};
