import type { Effect } from './result.ts';

/** Raised while planning where what follows depends on an answer only a real run gets. Not a failure. */
export class NotYetKnown extends Error {
  override readonly name = 'NotYetKnown';
}

/** What a dry run has foreseen so far; shared by all its commands. */
export interface Foresight {
  /** Adds an effect to the command being planned. `seen` is what the file looked like: part of the plan's hash. */
  record(effect: Effect, seen?: { readonly size: number; readonly mtimeMs: number }): void;
  /** Starts collecting for one command; the function it gives ends that and answers the effects. */
  begin(): () => readonly Effect[];
  /** Every file looked at, as text, in order of names. */
  fingerprints(): readonly string[];
}

export const createForesight = (): Foresight => {
  const seenFiles = new Map<string, string>();
  let current: Effect[] = [];
  return {
    record(effect, seen) {
      if (!current.some((other) => other.kind === effect.kind && other.target === effect.target)) current.push(effect);
      if (seen !== undefined && !seenFiles.has(effect.target)) seenFiles.set(effect.target, `${seen.size}:${seen.mtimeMs}`);
    },
    begin() {
      const outer = current;
      const own: Effect[] = [];
      current = own;
      return () => {
        current = outer;
        return own;
      };
    },
    fingerprints: () => [...seenFiles].map(([target, seen]) => `${target} ${seen}`).sort(),
  };
};
