import type { Family } from '../core/action.ts';
import type { EffectClass, StepsPlace } from '../core/effects.ts';
import type { LazyFamily } from '../core/registry.ts';
import { catalogueFamilies } from './catalogue.generated.ts';

/** A family in the start-up index: its actions as rows of name, effects, places of nested lists, aliases, whether it is reserved. */
export interface CatalogueFamily {
  readonly name: string;
  readonly group: string;
  readonly isApart?: true;
  load(): Promise<Family>;
  readonly actions: readonly (readonly [string, readonly EffectClass[], readonly StepsPlace[], readonly string[], true?])[];
}

/** The families of the house, ready to be registered; of one group when asked. */
export const builtInFamilies = (wantedGroup?: string): LazyFamily[] =>
  catalogueFamilies
    .filter(({ group }) => wantedGroup === undefined || group === wantedGroup)
    .map(({ name: family, group, isApart, load, actions }) => ({
      load,
      actions: actions.map(([name, effects, steps, aliases, reserved]) => ({
        name,
        family,
        group,
        effects,
        steps,
        aliases,
        ...(reserved && { reserved }),
        ...(isApart && { isApart }),
      })),
    }));
