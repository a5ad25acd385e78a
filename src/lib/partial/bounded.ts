import type { Json } from '../../core/errors.ts';

/** A value as it may stand in an error: lists, tables and texts are cut, so that it fits wherever errors are kept and told. */
export const bounded = (value: unknown, most: number): Json => {
  if (typeof value === 'string') return value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return null;
  if (Array.isArray(value)) return value.slice(0, most).map((each) => bounded(each, most));
  const plain: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
  if (plain !== value) return bounded(plain, most);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most)
      .map(([key, each]) => [key, bounded(each, most)]),
  );
};

const MAX_CHARS = 4096;
