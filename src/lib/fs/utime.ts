/**
 * The latest time that Node can set and that is not later than one given in nanoseconds: a copy must never look newer than its source, or
 * `make` and the next sync take it for changed. Set again from what was read back, it stays the same. Node takes seconds as a fraction,
 * which is exact to about 240 nanoseconds; older ones cut off all below a microsecond. Negative fractions would mean "now", so times
 * before 1970 are given as dates.
 */
export const utimeNs = (ns: bigint): number | Date => {
  if (ns < 0n) return new Date(Number((ns - (NS_A_MS - 1n)) / NS_A_MS)); // rounded down, which for negative ones is away from 0
  const seconds = Number(ns / NS_A_S);
  const rest = Number(ns % NS_A_S);
  return SETS_NANOSECONDS ? fractionBefore(seconds, rest) : (seconds * 1e6 + Math.trunc(rest / 1000) + 0.5) / 1e6;
};

/**
 * The same for a time in milliseconds. A whole number is taken as it is; a fraction stands for all times that are told alike, of which the
 * earliest is taken.
 */
export const utime = (ms: number): number | Date => {
  if (ms < 0) return new Date(Math.floor(ms));
  const whole = Math.floor(ms);
  const ns = BigInt(whole) * NS_A_MS + BigInt(Math.floor((ms - whole) * 1e6));
  return utimeNs(whole === ms ? ns : ns - BigInt(Math.ceil(ms * HALF_STEP * 1e6)));
};

const NS_A_MS = 1_000_000n;
const NS_A_S = 1_000_000_000n;

/** How far a number may be from what it was rounded from, as a part of it. */
const HALF_STEP = 2 ** -53;

/** Since libuv 1.52 what is below a microsecond is set too. */
const setsNanoseconds = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || minor >= 52;
};

const SETS_NANOSECONDS = setsNanoseconds(process.versions.uv ?? '0');

/** The largest fraction that is set as at most this many nanoseconds behind a second. */
const fractionBefore = (seconds: number, ns: number): number => {
  // As the system gets it: whole seconds, and what is left of the rest in whole nanoseconds.
  const isLater = (time: number) => Math.trunc(time) > seconds || Math.trunc((time - seconds) * 1e9) > ns;
  const nearest = seconds + ns / 1e9;
  if (isLater(nearest)) return neighbour(nearest, -1n);
  const next = neighbour(nearest, 1n);
  return isLater(next) ? nearest : next;
};

const bits = new BigInt64Array(1);
const fraction = new Float64Array(bits.buffer);

/** The next number, smaller or larger. */
const neighbour = (positive: number, step: 1n | -1n): number => {
  fraction[0] = positive;
  bits[0] = (bits[0] ?? 0n) + step;
  return fraction[0] ?? 0;
};
