import type { Context } from '../../core/context.ts';

const MOST_NAMED = 20;

/** Tells of pipes, sockets and devices, which no copy and no archive holds. */
export const noteSpecial = ({ note }: Pick<Context, 'note'>, count: number, paths: readonly string[]): void => {
  if (count === 0) return;
  const what = count === 1 ? '1 pipe, socket or device was' : `${count} pipes, sockets or devices were`;
  note({ kind: 'skipped', message: `${what} left out.`, count, paths: paths.slice(0, MOST_NAMED) });
};
