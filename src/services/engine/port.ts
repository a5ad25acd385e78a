// What a store promises, for every adapter. Types only, so anybody may import it: runs in port/runs.ts, what is done with them in
// port/engine.ts, everything kept beside them in port/shelves.ts.
import type { Engine } from './port/engine.ts';
import type { Shelves } from './port/shelves.ts';

/**
 * The whole store: durable runs and everything that must outlive a process. Calls made in one turn of the event loop are answered in
 * their order and committed together; one that fails leaves the others alone.
 */
export interface Store extends Engine, Shelves {
  /** Opens the store now instead of at the first call; rejects where it cannot be opened or another instance serves it. */
  ready(): Promise<void>;
  /** Calls back after this process has queued a run. A hint: runs of other processes and delayed ones need a look now and then. */
  onQueued(listener: () => void): () => void;
}
