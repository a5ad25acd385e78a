/** A file that moves the clock of every thread of a process: a minute between two starts is a minute in which nothing ran. */
export const MOVED_CLOCK = `
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    given.length === 0 ? super(Real.now() + aheadMs) : super(...given);
  }
  static now() {
    return Real.now() + aheadMs;
  }
};
`;

/** The environment of a process that starts at this time; `file` holds the moved clock. */
export const clockAt = (at: number, file: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--require=${file}`,
  CLOCK_AHEAD_MS: String(at - Date.now()),
});
