import { isLarge } from '../../core/json-pieces.ts';
import type { TimeSlice } from '../../lib/async/time-slice.ts';

type Mask = (value: unknown) => unknown;

/** What `mask` makes of a JSON value, part by part where it is large: others have the thread in between. The same reference where nothing changed. */
export const maskInSlices = async (value: unknown, mask: Mask, slice: TimeSlice): Promise<unknown> => {
  if (typeof value !== 'object' || value === null || !isLarge(value)) return mask(value);
  return Array.isArray(value) ? maskList(value, mask, slice) : maskObject(value, mask, slice);
};

const maskList = async (list: readonly unknown[], mask: Mask, slice: TimeSlice): Promise<unknown> => {
  const masked: unknown[] = [];
  let isChanged = false;
  for (const each of list) {
    const shown = isContainer(each) && isLarge(each) ? await maskInSlices(each, mask, slice) : mask(each);
    masked.push(shown);
    isChanged ||= !Object.is(shown, each);
    if (slice.isOver()) await slice.next();
  }
  return isChanged ? masked : list;
};

const maskObject = async (object: object, mask: Mask, slice: TimeSlice): Promise<unknown> => {
  const masked: [string, unknown][] = [];
  let isChanged = false;
  for (const [key, each] of Object.entries(object)) {
    const isLong = isContainer(each) && isLarge(each);
    // A key may be masked itself, or hide whatever stands under it.
    const [name = key, shown] = Object.entries(mask({ [key]: isLong ? SHOWN : each }) as object)[0] ?? []; // masking keeps the shape
    const value = isLong && shown === SHOWN ? await maskInSlices(each, mask, slice) : shown;
    masked.push([name, value]);
    isChanged ||= name !== key || !Object.is(value, each);
    if (slice.isOver()) await slice.next();
  }
  return isChanged ? Object.fromEntries(masked) : object;
};

/** A value that no mask touches but for its key. */
const SHOWN = 1;

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;
