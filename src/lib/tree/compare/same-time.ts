/** When a file was changed, and when anything about it was. */
export interface Times {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Times travel as fractions of seconds: what was set can be read back this much different. */
const SETTABLE_MS = 0.002;
/** Of ext3 and HFS+, of exFAT. The two seconds of FAT cannot be told from one second, and are what is allowed by default. */
const GRAINS_MS = [1000, 10];

/** Whether two files were changed at the same time, as far as the file system of the second can tell. */
export const isSameTime = (here: Pick<Times, 'mtimeMs'>, there: Times, toleranceMs = 0): boolean => {
  const apartMs = Math.abs(here.mtimeMs - there.mtimeMs);
  return apartMs <= Math.max(toleranceMs, SETTABLE_MS) || apartMs < grainOf(there);
};

/** How coarse the times of a file system are: nobody sets the second time, so only there both are that even. */
const grainOf = ({ mtimeMs, ctimeMs }: Times): number => GRAINS_MS.find((grain) => mtimeMs % grain === 0 && ctimeMs % grain === 0) ?? 0;
