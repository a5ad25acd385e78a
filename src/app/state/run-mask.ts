import { createMasker, type Masker } from '../../access/mask.ts';
import { MASK } from '../../access/secret.ts';
import { isSecretKey } from '../../access/secret-keys.ts';
import type { Registry } from '../../core/registry.ts';

/** Takes secrets out of lists and values before they are kept. */
export interface RunMask {
  /**
   * Masks what a masker does, and the values of arguments that their action does not know: whoever misspells `password` has given one all the
   * same, and nobody else could tell.
   */
  mask(value: unknown): unknown;
  /** The same for what came of a list: secrets that stand in it by name are found in its values too, wherever they were put. */
  maskFor(request: unknown): (value: unknown) => unknown;
}

export const createRunMask = (masker: Pick<Masker, 'jsonOfLists'>, registry: Pick<Registry, 'resolve'>): RunMask => {
  const mask = masker.jsonOfLists((list) => withoutUnknown(list, registry));
  return {
    mask,
    maskFor(request) {
      const own = secretsIn(request);
      if (own.length === 0) return mask;
      // Of this run alone: what one caller calls a secret is an ordinary word in the runs of others.
      const inRun = createMasker();
      for (const secret of own) inRun.learn(secret);
      return (value) => mask(inRun.known(value));
    },
  };
};

/** A command without the values that its action does not know; the same list where there are none, or where it is no command. */
const withoutUnknown = (list: readonly unknown[], registry: Pick<Registry, 'resolve'>): readonly unknown[] => {
  const [name, given] = list;
  if (list.length !== 2 || typeof name !== 'string' || typeof given !== 'object' || given === null) return list;
  const ready = registry.resolve(name);
  if (ready === undefined || ready.plain !== undefined) return list;
  if (Array.isArray(given))
    return given.length <= ready.keys.length ? list : [name, given.map((value, at) => (at < ready.keys.length ? value : MASK))];
  const entries = Object.entries(given);
  if (entries.every(([key]) => ready.places.has(key))) return list;
  return [name, Object.fromEntries(entries.map(([key, value]) => [key, ready.places.has(key) || value === null ? value : MASK]))];
};

/** The texts under keys that are named like a secret; references are learnt where they are read. */
const secretsIn = (request: unknown): readonly string[] => {
  const found: string[] = [];
  const waiting: { readonly value: unknown; readonly isSecret: boolean }[] = [{ value: request, isSecret: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, isSecret } = next;
    if (typeof value === 'string') {
      if (isSecret && !value.includes('${')) found.push(value);
    } else if (Array.isArray(value)) {
      for (const each of value) if (isSecret || typeof each === 'object') waiting.push({ value: each, isSecret });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) {
        const isOne = isSecret || isSecretKey(key);
        if (isOne || typeof each === 'object') waiting.push({ value: each, isSecret: isOne });
      }
    }
  }
  return found;
};
