import { buffer } from 'node:stream/consumers';
import { usageFault } from '../faults.ts';

/** Everything on standard input. */
export const readStdin = (): Promise<Buffer> => buffer(process.stdin);

/** Standard input for one argument only: there is no telling where the next one's would begin. */
export const readStdinOnce = (): (() => Promise<Buffer>) => {
  let isTaken = false;
  return () => {
    if (isTaken) throw usageFault('Only one argument can come from standard input; put the others into options.');
    isTaken = true;
    return readStdin();
  };
};
