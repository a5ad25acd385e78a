/** The time that DOS writes: local, from 1980, in steps of two seconds. */
export const dosTimeMs = (date: number, time: number): number =>
  new Date((date >> 9) + 1980, ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2).getTime();

const TICKS_PER_MS = 10_000;
/** Between 1601, where Windows begins to count, and 1970. */
const WINDOWS_EPOCH_MS = 11_644_473_600_000;

/** The time that Windows writes: steps of 100 ns since 1601. */
export const windowsTimeMs = (ticks: bigint): number => Number(ticks) / TICKS_PER_MS - WINDOWS_EPOCH_MS;
