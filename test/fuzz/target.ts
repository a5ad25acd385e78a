/** A reader of what others send, and what it promises. */
export interface Target {
  /** Inputs that it reads well, or that once were a fault. */
  readonly examples: readonly Buffer[];
  /** Pieces that mean something to it; put in where chance alone would not find them. */
  readonly words: readonly string[];
  open(): Promise<Check>;
}

export interface Check extends AsyncDisposable {
  /** Rejects where a promise is broken. */
  check(input: Buffer): Promise<void>;
}

/** A fault of the reader, in words. */
export class Broken extends Error {}
