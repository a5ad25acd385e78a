/** The run that asks: its caller has what it stored, and the owner everything. */
export interface AskedBy {
  readonly runId: string;
}
