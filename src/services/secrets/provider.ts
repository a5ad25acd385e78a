import type { SecretReference } from '../../core/secret-reference.ts';

/** A value that was found, or why there is none. */
export type Found =
  | { readonly value: string /** What to mend although it works. */; readonly warning?: string }
  | { readonly missing: string };

/** A place where secrets are kept, for one kind of reference. An empty value counts as missing. */
export interface SecretProvider {
  readonly kind: SecretReference['kind'];
  find(name: string): Promise<Found>;
}
