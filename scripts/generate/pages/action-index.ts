import type { LocatedFamily } from '../families.ts';
import { derivedFrom, table, title } from './markdown.ts';

/** The first page of the reference: all families, all actions. */
export const actionIndex = (families: readonly LocatedFamily[]): string => {
  const count = families.reduce((sum, { actions }) => sum + actions.length, 0);
  return `${derivedFrom('src/actions')}

# Actions

${count} actions in ${families.length} families. Each page has arguments, effects and examples; every example runs as a test.
A command is \`["FA_name", {"argument": "value"}]\` or, in the order of the table, \`["FA_name", ["value"]]\`.
Editors check lists with [action-list.schema.json](../../../schema/action-list.schema.json).

${families.map(familySection).join('\n\n')}
`;
};

const familySection = ({ name, summary, actions }: LocatedFamily): string =>
  `## [${title(name)}](${name}.md)

${summary}

${table(
  ['action', 'what it does'],
  actions.map((action) => [`[${action.name}](${name}.md#${action.name.toLowerCase()})`, action.summary]),
)}`;
