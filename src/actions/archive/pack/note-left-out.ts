import type { Context } from '../../../core/context.ts';

/** Notes that sockets, pipes and devices are not packed. */
export const noteLeftOut = ({ note }: Context, names: readonly string[]): void => {
  if (names.length === 0) return;
  note({
    kind: 'skipped',
    message: `${names.length} entries are neither files, directories nor links and were left out.`,
    paths: names.slice(0, 100),
  });
};
