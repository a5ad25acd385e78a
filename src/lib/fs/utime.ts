/** A time as Node takes it: seconds keep microseconds; negative numbers would mean "now", negative dates do not. */
export const utime = (ms: number): number | Date => (ms < 0 ? new Date(ms) : ms / 1000);
