import type { MakeError } from './make-error.ts';

/** What reading a document needs beside its bytes. */
export interface DocumentReading {
  /** The file, for messages. */
  readonly name: string;
  readonly makeError: MakeError;
  /** What it may take in memory: a fault is thrown before it takes more. */
  readonly maxBytes?: number;
}

/** A document that was read whole, to be asked by key path or edited once: an edit gives the new text and uses the document up. */
export interface OpenDocument {
  /** The value at a path; `found` is false where there is none. */
  get(keyPath: string): { readonly found: boolean; readonly value?: unknown };
  /** The text with a value at a path. */
  set(keyPath: string, value: unknown): string;
  /** The text without what a path leads to, or undefined where nothing is there. */
  remove(keyPath: string): string | undefined;
}
