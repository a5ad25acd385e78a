import { ArgumentException } from '../../core/errors.ts';
import { didYouMean } from './nearest.ts';

/** All names of a type of options. The compiler refuses a table that lacks one or has one too many. */
export type KnownKeys<T> = { readonly [Key in keyof T]-?: true };

/** Refuses options that nobody reads: one that is misspelt would otherwise leave its default, such as no limit, no secret or no dry run. */
export const demandKnownKeys = (given: object, known: object, callee: string): void => {
  const fault = unknownKeyIn(given, known, callee);
  if (fault !== undefined) throw fault;
};

/** The same for callees that answer with a promise, which is how they refuse. */
export const unknownKeyIn = (given: unknown, known: object, callee: string): ArgumentException | undefined => {
  if (typeof given !== 'object' || given === null) {
    return new ArgumentException(`${callee} takes its options as an object, such as { ${Object.keys(known)[0] ?? ''}: … }.`);
  }
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(known, key)) continue;
    const names = Object.keys(known);
    return new ArgumentException(
      `${callee} has no argument ${JSON.stringify(key)}${didYouMean(key, names) || `; it takes ${names.join(', ') || 'none'}.`}`,
      { context: { argument: key } },
    );
  }
  return undefined;
};

/** A switch that is neither true nor false nor left out: taken as false it would undo what somebody asked for. */
export const wrongSwitchIn = (switches: { readonly [name: string]: unknown }, callee: string): ArgumentException | undefined => {
  for (const [name, value] of Object.entries(switches)) {
    if (value === undefined || typeof value === 'boolean') continue;
    return new ArgumentException(`${callee}: ${name} must be true or false.`, { context: { argument: name, expected: 'boolean' } });
  }
  return undefined;
};
