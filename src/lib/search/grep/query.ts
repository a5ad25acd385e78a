/** What to search in files. Plain data, for other threads. */
export interface GrepQuery {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
  /** Which files; null for all. */
  readonly glob: string | null;
  readonly exclude: readonly string[];
  /** No more matches than so many are needed. */
  readonly most: number;
  /** Longer lines are cut. */
  readonly maxLineChars: number;
  /** How many lines before and after a match are told with it. */
  readonly before: number;
  readonly after: number;
  /** Only what comes behind this line. */
  readonly behind: Place | null;
  /** Give the matches as JSON text, with paths below this root; null for what objects can be made from. */
  readonly jsonBelow: string | null;
}

/** A line of a file. */
export interface Place {
  /** From the root, with `/`. */
  readonly path: string;
  readonly line: number;
}
