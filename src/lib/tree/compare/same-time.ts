/** When a file was changed, and when anything about it was. */
export interface Times {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Node sets times to the microsecond, cut off, and tells them as fractions: what was set can be read back this much different. */
const SETTABLE_MS = 0.002;
/** Of ext3 and HFS+, of exFAT. */
const STEPS_MS = [1000, 10];
const FAT_STEP_MS = 2000;

/**
 * Whether two files were changed at the same time. Without a tolerance: as far as the file system of the second, a copy of the first, can
 * tell. Where its steps are coarse, a first file about which anything was changed in the step of the copy or later may hold something else
 * by now, and is not the same. FAT and some network file systems keep no second time but give the first twice: there steps alone decide.
 */
export const isSameTime = (here: Times, there: Times, toleranceMs?: number): boolean => {
  const apartMs = Math.abs(here.mtimeMs - there.mtimeMs);
  const stepMs = stepOf(there);
  if (toleranceMs !== undefined) return apartMs <= Math.max(toleranceMs, SETTABLE_MS) || apartMs < stepMs;
  if (stepMs === 0) return apartMs <= SETTABLE_MS;
  return apartMs < stepMs && (there.ctimeMs === there.mtimeMs || here.ctimeMs < there.ctimeMs);
};

/**
 * How coarse the times of a file system are: nobody sets the second time, so only there both are that even. 0: fine. Every other whole
 * second looks like one of FAT, which is known by giving one time twice.
 */
const stepOf = ({ mtimeMs, ctimeMs }: Times): number =>
  mtimeMs === ctimeMs && mtimeMs % FAT_STEP_MS === 0
    ? FAT_STEP_MS
    : (STEPS_MS.find((step) => mtimeMs % step === 0 && ctimeMs % step === 0) ?? 0);
