import { oneOf } from './args.ts';

/** What becomes of a command that did the rest but could not read something. */
export type OnUnreadable = 'fail' | 'skip';

/** The last argument of every action that reads many files: `what` becomes of the command where some of them cannot be read. */
export const onUnreadable = (
  what = 'What cannot be read is left out and makes the command fail after the rest is done (`fail`), or is only noted (`skip`).',
) => oneOf(what, ['fail', 'skip'], { default: 'fail' });
