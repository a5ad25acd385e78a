import type { Description } from '../core/description.ts';
import type { JsonSchema } from '../core/shapes.ts';

/** What is written down of all built-in actions, and the schemas that theirs refer to. */
export interface Listing {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
  readonly actions: readonly Description[];
}

/** Reads the listing, which is too large to be part of the start. */
export const loadListing = async (): Promise<Listing> => {
  const { default: listing } = await import('./listing.generated.json', { with: { type: 'json' } });
  return listing as unknown as Listing; // written from definitions; its literal types are too narrow to compare
};
