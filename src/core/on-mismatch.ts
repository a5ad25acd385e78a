import { oneOf } from './args.ts';

/** What becomes of a command that verifies and finds that something is not as it should be. */
export type OnMismatch = 'report' | 'fail';

/** The last argument of every action that verifies. */
export const onMismatch = () =>
  oneOf('What is not as it should be is told in the value (`report`), or makes the command fail (`fail`).', ['report', 'fail'], {
    default: 'report',
  });
