import type { Ready } from '../../core/ready.ts';
import type { Registry } from '../../core/registry.ts';
import { nearest } from '../../lib/text/nearest.ts';
import { usageFault } from '../faults.ts';

/** The full name of an action: `copy_file` and `copy-file` stand for `FA_copy_file`. */
export const actionNameOf = (word: string, registry: Registry): string | undefined =>
  [word, `FA_${word}`, `FA_${word.replaceAll('-', '_')}`].find((name) => registry.about(name) !== undefined);

/** Loads the action that a word names. */
export const findAction = async (word: string, registry: Registry): Promise<Ready> => {
  const name = actionNameOf(word, registry) ?? refuse(word, registry);
  await registry.load([name]);
  return registry.resolve(name) ?? refuse(word, registry);
};

const refuse = (word: string, registry: Registry): never => {
  const names = registry.names();
  const wanted = word.replaceAll('-', '_');
  const guess = nearest(wanted.startsWith('FA_') ? wanted : `FA_${wanted}`, names);
  throw usageFault(
    `No action is called ${JSON.stringify(word)}${guess === undefined ? '.' : `; did you mean ${guess}?`}`,
    `factotum actions --search ${wanted.replace(/^FA_/, '').split('_')[0] || 'WORD'}`,
  );
};
