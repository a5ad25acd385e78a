/** A document that was read whole, to be asked by key path or edited once: an edit gives the new text and uses the document up. */
export interface OpenDocument {
  /** The value at a path; `found` is false where there is none. */
  get(keyPath: string): { readonly found: boolean; readonly value?: unknown };
  /** The text with a value at a path. */
  set(keyPath: string, value: unknown): string;
  /** The text without what a path leads to, or undefined where nothing is there. */
  remove(keyPath: string): string | undefined;
}
