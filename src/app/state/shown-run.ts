import type { Json } from '../../core/errors.ts';

/** A record as it may be shown: a list that was stored to be run later holds all that it needs, secrets too. */
export const shownRun = <T extends { readonly body: Json; readonly kept?: Json }>(
  record: T | null,
  mask: (value: unknown) => unknown,
): Omit<T, 'kept'> | null => {
  if (record === null) return null;
  const { kept, ...rest } = record;
  return { ...rest, body: mask(kept ?? record.body) as Json }; // masking keeps the shape
};
