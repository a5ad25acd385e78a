import type { Interruptible } from '../../../core/files.ts';
import type { StoredItem } from '../../../core/storage.ts';
import { parentOf } from '../../../lib/location/storage-path.ts';
import type { Wire } from './wire.ts';

/** Directories that are made where they are missing. */
export interface Directories {
  make(path: string, signal: AbortSignal): Promise<void>;
  /** What was known to be there may be gone. */
  forget(): void;
}

/** More than a tree that is written at once has; beyond it knowledge is gathered anew. */
const MOST_KNOWN = 10_000;

export const createDirectories = (
  wire: Wire,
  stat: (path: string, options: Interruptible) => Promise<StoredItem | undefined>,
): Directories => {
  const known = new Set<string>();

  const make = async (path: string, signal: AbortSignal): Promise<void> => {
    if (path === '' || known.has(path)) return;
    let answer = await wire.ask('MKCOL', path, { kind: 'dir', signal });
    if (answer.status === 409 || answer.status === 404) {
      if (parentOf(path) === '') throw wire.refusal('MKCOL', path, answer);
      await make(parentOf(path), signal);
      answer = await wire.ask('MKCOL', path, { kind: 'dir', signal });
    }
    // Servers say in several ways that something is there; some even where it is a file.
    if (answer.status >= 300) {
      const there = await stat(path, { signal });
      if (there?.kind === 'file') throw wire.faults.exists(path);
      if (there === undefined) throw wire.refusal('MKCOL', path, answer);
    }
    if (known.size >= MOST_KNOWN) known.clear();
    known.add(path);
  };

  return { make, forget: () => known.clear() };
};
