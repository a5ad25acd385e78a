/** Values as they are stored, by their number. */
export interface StoredValues {
  readonly count: number;
  at(index: number): unknown;
  /** What they take beside the bytes of their page. */
  readonly extraBytes: number;
}
