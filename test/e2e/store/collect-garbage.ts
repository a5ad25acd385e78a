import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Lets the driver for older versions of Node close the files of closed stores, which it does when their statements are collected. */
export const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  await setImmediate();
};
