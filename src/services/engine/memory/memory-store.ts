import { createStore } from '../embedded/create-store.ts';
import { linkLocally } from '../embedded/local-link.ts';
import type { Store } from '../port.ts';

/** A store that is gone with the process: the embedded one without a file, so that both mean the same to the last detail. */
export const memoryStore = ({ now = Date.now }: { readonly now?: () => number } = {}): Store =>
  createStore({
    connect: () => linkLocally({ file: ':memory:', isServing: false, isPrivate: false }),
    now,
    place: 'memory',
  });
