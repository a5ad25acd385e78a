import { isAbsolute, join, sep } from 'node:path';
import { PolicyException } from '../core/errors.ts';

/** Where a tree goes as a whole, by real paths. */
export interface TreeMove {
  readonly from: string;
  readonly to: string;
}

/**
 * The path that a link inside a tree leads to once the tree has moved, where the move decides that: undefined for links that stay inside
 * the tree or do not depend on their place. `within` is the directory of the link below the tree.
 */
export const pathAfterMove = (text: string, within: readonly string[], { to }: TreeMove): string | undefined => {
  if (isAbsolute(text)) return undefined;
  const steps = text.split(sep).filter((step) => step !== '' && step !== '.');
  const ups = steps.findIndex((step) => step !== '..');
  const rest = ups < 0 ? [] : steps.slice(ups);
  // The directories of the tree are no links, so the first steps up can be counted; later ones depend on where links lead by then.
  if (rest.includes('..')) throw uncertain(text);
  const climbed = (ups < 0 ? steps.length : ups) - within.length;
  if (climbed <= 0) return undefined;
  return join(to, ...Array.from({ length: climbed }, () => '..'), ...rest);
};

const uncertain = (text: string) =>
  new PolicyException(
    `The link to ${text.slice(0, 300)} goes up again after it went down, so nobody can tell where it leads once its directory has moved; write it straight.`,
    { context: { rule: 'roots', path: text.slice(0, 300) } },
  );
