// The first file of a runner thread of the command line.
import { openBundle } from './bundle.ts';

/** Set by the build. */
declare const CORE_FILE: string;
declare const RUNNER_CHUNK: string;

/** A thread is ended without a warning: it keeps its code as soon as it has worked for a while and has nothing to do. */
const KEEP_AFTER_MS = 1_000;

const bundle = openBundle(__dirname, 'runner', { isThread: true });
bundle.readCore(CORE_FILE);
bundle.load(RUNNER_CHUNK);
setTimeout(bundle.keepCode, KEEP_AFTER_MS).unref();
