import type { FaultMessage } from '../messages.ts';

/** How many pieces a stream on a thread may be ahead of its reader. */
export const PIECES_AHEAD = 4;

/** What the reader of a stream tells its thread: input, none meaning the end; or that a piece of output was taken. */
export type ToStream = { readonly kind: 'input'; readonly bytes: Uint8Array | undefined } | { readonly kind: 'taken' };

/** A part of a file; the end is not included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What the thread tells: it waits for input, the next or that of a place, here is output, it came to the end or failed. */
export type FromStream =
  | { readonly kind: 'want'; readonly range?: ByteRange }
  | { readonly kind: 'output'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly fault: FaultMessage };
