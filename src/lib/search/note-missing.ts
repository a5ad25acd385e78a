import type { Context } from '../../core/context.ts';

/** Tells that a search found nothing because there was nothing to search. */
export const noteMissing = ({ note }: Context, shown: string): void =>
  note({ kind: 'missing', message: `No directory is at ${shown}, so nothing was searched; check the path.`, path: shown });
