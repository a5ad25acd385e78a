import type { Context } from '../../core/context.ts';

/** Tells that there is more, and how to get it. */
export const noteTruncated = ({ note }: Context, limit: number, cursor: string | null): void =>
  note({
    kind: 'truncated',
    message: `There are more than ${limit}; ${cursor === null ? 'raise the limit' : 'give the cursor to go on behind the last one'}.`,
    limit,
    ...(cursor !== null && { cursor }),
  });
