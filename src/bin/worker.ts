// The first file of a worker thread of the command line.
import { openBundle } from './bundle.ts';

/** Set by the build. */
declare const CORE_FILE: string;
declare const WORKER_CHUNK: string;

/** A thread is ended without a warning: it keeps its code as soon as it has worked for a while and has nothing to do. */
const KEEP_AFTER_MS = 20;

const bundle = openBundle(__dirname, 'worker', { isThread: true });
bundle.readCore(CORE_FILE);
bundle.load(WORKER_CHUNK);
setTimeout(bundle.keepCode, KEEP_AFTER_MS).unref();
