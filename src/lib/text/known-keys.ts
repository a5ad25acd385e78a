import { ArgumentException } from '../../core/errors.ts';
import { didYouMean } from './nearest.ts';

/** Refuses options that nobody reads: one that is misspelt would otherwise leave its default, such as no limit or no secret. */
export const demandKnownKeys = (given: object, known: readonly string[], callee: string): void => {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new ArgumentException(
    `${callee} has no argument ${JSON.stringify(unknown)}${didYouMean(unknown, known) || (known.length === 0 ? '; it takes none.' : `; it takes ${known.join(', ')}.`)}`,
    { context: { argument: unknown } },
  );
};
