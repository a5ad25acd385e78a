import type { KnownSecrets } from './known-secrets.ts';
import { MASK } from './secret.ts';

/** Masks a text that arrives in pieces. */
export interface ChunkMasker {
  /** Takes the next piece; gives back what can already be shown. */
  push(chunk: string): string;
  /** Gives back the rest. */
  end(): string;
}

/**
 * Masks known secrets in output that arrives in pieces, across their borders too: as many characters are held back as the longest
 * secret could still need. All pieces together read as if the whole text had been masked at once.
 */
export const createChunkMasker = (secrets: KnownSecrets): ChunkMasker => {
  let held = '';
  let covered = 0; // so many characters at the start of `held` belong to a secret that was already shown as a mask

  const release = (length: number): string => {
    let shown = '';
    let from = covered;
    for (const { start, end } of secrets.spans(held)) {
      if (start >= length) break; // more text may make this one longer
      if (start >= from) shown += held.slice(from, start) + MASK;
      from = Math.max(from, end);
    }
    shown += held.slice(from, length);
    held = held.slice(length);
    covered = Math.max(0, from - length);
    return shown;
  };

  return {
    push(chunk) {
      held += chunk;
      return release(Math.max(0, held.length - Math.max(0, secrets.longest - 1)));
    },
    end: () => release(held.length),
  };
};
