import { threadUrl } from '../../lib/workers/worker-url.ts';

/** Set by the build of the command line, whose threads start from its own chunks. */
declare const FACTOTUM_RUNNER: string | undefined;

/** Where the build puts the entry of a runner thread, seen from the chunk that holds this file. */
const EMITTED = typeof FACTOTUM_RUNNER === 'string' ? [FACTOTUM_RUNNER] : ['./runner.worker.js', '../runner.worker.js'];

/** The module a runner thread starts from; undefined where there is none, as in a file bundled for one run. */
export const runnerUrl = (): Promise<URL | undefined> =>
  threadUrl(
    EMITTED.map((place) => new URL(place, import.meta.url)),
    new URL('./runner.worker.ts', import.meta.url),
  );
