import type { TimeSlice } from './time-slice.ts';

/** Work that can pause: it gives nothing at each step and its value at the end. */
export type Steps<T> = Generator<void, T, void>;

/** Does all steps without a pause. */
export const doAtOnce = <T>(steps: Steps<T>): T => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};

/** Does steps until they are done; others have the thread whenever its slice is over. */
export const doInSlices = async <T>(steps: Steps<T>, slice: TimeSlice): Promise<T> => {
  let step = steps.next();
  while (step.done !== true) {
    if (slice.isOver()) await slice.next();
    step = steps.next();
  }
  return step.value;
};
