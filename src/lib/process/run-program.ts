import type { RunProgram } from '../../core/ports.ts';

/** Placeholder until the room is built. */
export const runProgram: RunProgram = async () => {
  throw new Error('not here yet');
};
