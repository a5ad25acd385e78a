import { createInstance } from './create.ts';
import type { Instance } from './instance/instance.ts';

let instance: Instance | undefined;

/**
 * The instance behind the plain functions of the public doors, built at first use: every caller in the process
 * shares its registry. Programs that want their own use `createFactotum`.
 */
export const sharedFactotum = (): Instance => {
  instance ??= createInstance();
  return instance;
};
