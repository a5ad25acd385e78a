/** What holds where a list does not say otherwise. */
export interface ListDefaults {
  /** Most commands or nodes one list may hold. */
  readonly maxCommands: number;
  readonly maxWorkers: number;
  readonly validateFirst: boolean;
  /** Bytes that a list may write and seconds that it may take; 0 or left out is no limit. */
  readonly maxBytes?: number;
  readonly maxSeconds?: number;
  /** Commands that one run may execute and bytes of results that it may keep, all its lists counted. */
  readonly executedCommands?: number;
  readonly runBytes?: number;
}
