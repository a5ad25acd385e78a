import { createFactotum } from './create.ts';
import type { Factotum } from './factotum.ts';

let instance: Factotum | undefined;

/**
 * The instance behind the plain functions of the public doors, built at first use: every caller in the process
 * shares its registry. Programs that want their own use `createFactotum`.
 */
export const sharedFactotum = (): Factotum => {
  instance ??= createFactotum();
  return instance;
};
