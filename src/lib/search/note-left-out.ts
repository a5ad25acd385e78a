import { join } from 'node:path';
import type { Context } from '../../core/context.ts';
import type { LeftOut } from './left-out.ts';

/** Tells of paths that were left out, the first of them by name. */
export const noteLeftOut = (
  { note }: Context,
  shown: string,
  { count, paths }: LeftOut,
  said: { readonly kind: string; readonly what: string },
): void => {
  if (count === 0) return;
  const [first = ''] = paths;
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  note({
    kind: said.kind,
    message: `${join(shown, first)}${others} ${said.what}.`,
    count,
    paths: paths.map((relative) => join(shown, relative)),
  });
};
