import type { Action } from '../../src/core/action.ts';
import { effectsOf, stepsOf } from '../../src/core/effects.ts';
import type { LocatedFamily } from './families.ts';

/** The start-up index: what the registry must know of an action before its code is loaded, and nothing else. */
export const catalogueSource = (
  families: readonly LocatedFamily[],
): string => `// Written by \`npm run generate\` from the definitions in src/actions.
import type { CatalogueFamily } from './catalogue.ts';

export const catalogueFamilies: readonly CatalogueFamily[] = [
${families.map(familySource).join('\n')}
];
`;

const familySource = ({ name, group, isApart, exportName, actions }: LocatedFamily): string => `  {
    name: '${name}',
    group: '${group}',
${isApart ? '    isApart: true,\n' : ''}    load: async () => (await import('../actions/${name}/index.ts')).${exportName},
    actions: [
${actions.map((action) => `      ${JSON.stringify(rowOf(action))},`).join('\n')}
    ],
  },`;

const rowOf = (action: Action) => {
  const { name, args, aliases = [], reserved } = action;
  return [name, effectsOf(args, action), stepsOf(args), aliases, ...(reserved === undefined ? [] : [reserved])];
};
