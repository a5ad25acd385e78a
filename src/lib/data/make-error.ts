import type { Json } from '../../core/errors.ts';

/** Builds the error that a family raises for a refusal of this room: each format has its own type. */
export type MakeError = (message: string, context?: { readonly [key: string]: Json }) => Error;
