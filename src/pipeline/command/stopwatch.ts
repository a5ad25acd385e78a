/** Times commands that follow each other: the end of one is the start of the next, so each costs one reading of the clock. */
export class Stopwatch {
  startedMs = performance.now();

  /** Milliseconds since the last reading; the next lap begins. */
  lap(): number {
    return this.since(this.startedMs);
  }

  /** Milliseconds since an earlier reading; the next lap begins. */
  since(startedMs: number): number {
    const now = performance.now();
    this.startedMs = now;
    return now - startedMs;
  }
}
