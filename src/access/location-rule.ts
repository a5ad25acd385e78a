import { PolicyException } from '../core/errors.ts';
import type { Access } from '../core/files.ts';
import { type Location, parseLocation } from '../lib/location/location.ts';
import { isBelow, withoutCase } from '../lib/location/storage-path.ts';

export interface LocationRules {
  readonly locations?: readonly string[];
  readonly readOnlyLocations?: readonly string[];
}

/** What a caller may do at places elsewhere. Stores of this process are everybody's own and need no rule. */
export const createLocationRule = ({ locations = [], readOnlyLocations = [] }: LocationRules) => {
  // The longest rule that contains a location decides, as with roots.
  const rules = [
    ...locations.map((written) => ({ written, place: parseLocation(written), isWritable: true })),
    ...readOnlyLocations.map((written) => ({ written, place: parseLocation(written), isWritable: false })),
  ].sort((a, b) => b.place.path.length - a.place.path.length || Number(a.isWritable) - Number(b.isWritable));

  return (written: string, access: Access): void => {
    const location = parseLocation(written);
    if (location.scheme === 'mem') return;
    const rule = rules.find(({ place }) => contains(place, location));
    if (rule === undefined) {
      throw new PolicyException(`The policy has no location that contains ${written}; add one to the caller's \`locations\`.`, {
        context: { rule: 'locations', location: written, access },
      });
    }
    if (access !== 'read' && !rule.isWritable) {
      throw new PolicyException(`The policy lets this caller only read below ${rule.written}, so ${written} cannot be changed.`, {
        context: { rule: 'read_only_locations', location: written, access },
      });
    }
  };
};

/** A path from the top of the machine is not below the directory of a login, whatever that is. */
const contains = (rule: Location, { scheme, connection, path }: Location): boolean => {
  if (rule.scheme !== scheme || rule.connection !== connection || rule.path.startsWith('/') !== path.startsWith('/')) return false;
  const [above, below] = IGNORES_CASE.has(scheme) ? [withoutCase(rule.path), withoutCase(path)] : [rule.path, path];
  return above === '/' || above === below || isBelow(below, above);
};

/** Where `Keep` and `KEEP` are one directory. */
const IGNORES_CASE: ReadonlySet<Location['scheme']> = new Set(['smb']);
