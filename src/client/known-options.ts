import { troubleOf } from './exceptions.ts';

/** All names of a type of options, which the compiler compares with it. */
export type KnownKeys<T> = { readonly [Key in keyof T]-?: true };

/** What a list says of itself, as a program may write it beside the list by mistake. */
const OF_THE_LIST: { readonly [plain: string]: string } = {
  dryrun: 'use client.plan(list), or say "dry_run": true in the list',
  validatefirst: 'say "validate_first": true in the list',
  stoponerror: 'say "stop_on_error": true in the list',
};

/** Refuses options that nobody reads: one that is misspelt would leave its default, and a wish for a dry run would be none. */
export const demandKnown = (given: object, known: object, callee: string): void => {
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(known, key)) continue;
    const names = Object.keys(known);
    const meant = names.find((name) => plain(name) === plain(key));
    const remedy = OF_THE_LIST[plain(key)] ?? (meant === undefined ? `it takes ${names.join(', ')}` : `did you mean ${meant}`);
    throw troubleOf(`${callee} has no option ${JSON.stringify(key)}; ${remedy}${meant === undefined ? '.' : '?'}`, {
      trouble: 'misuse',
      remedy: 'Give it the name that it has.',
      context: { argument: key },
    });
  }
};

/** A name without its way of writing: `dry_run`, `dryRun` and `DryRun` are one. */
const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();
