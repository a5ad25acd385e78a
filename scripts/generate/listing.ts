import type { Description } from '../../src/core/description.ts';
import type { LocatedFamily } from './families.ts';
import { jsonLines } from './json-lines.ts';
import { wireSchemas } from './schema/wire-schemas.ts';

/** What tools show of all actions without loading their code, and the schemas that theirs refer to. */
export const listingSource = (families: readonly LocatedFamily[], descriptions: readonly Description[]): string =>
  jsonLines({
    $defs: wireSchemas,
    families: families.map(({ name, group, summary }) => ({ name, group, summary })),
    actions: descriptions,
  });
