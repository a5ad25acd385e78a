import type { Args, Given } from './args.ts';

/** A worked example: printed in the reference and run as a test in an empty directory. */
export interface Example<A extends Args = Args> {
  readonly about?: string;
  /** Files that stand there before: path to text, or bytes as base64. */
  readonly files?: Readonly<Record<string, string | { readonly base64: string }>>;
  readonly dirs?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
  /** Commands that ran before, where files alone cannot set the scene. */
  readonly after?: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly args: Given<A>;
  /** The value it gives; left out where it cannot be foretold. */
  readonly value?: unknown;
  /** The type of the error that it ends with, where that is what the example shows. */
  readonly fails?: string;
  /** Files that stand there afterwards; null for one that is gone. */
  readonly leaves?: Readonly<Record<string, string | null>>;
}
