/** The run that asks: its caller has what it stored, and the owner everything. */
export interface AskedBy {
  readonly runId: string;
  /** The name under which something is kept that the caller calls so; left out where all have one space. */
  ownName?(name: string): string;
}
