import type { Description } from '../../src/core/description.ts';

/** The names that the client may send twice, told apart by whether they change something; aliases too. */
export const idempotentSource = (descriptions: readonly Description[]): string => {
  const harmless = descriptions.filter(({ idempotent }) => idempotent);
  return `// Written by \`npm run generate\` from the definitions in src/actions.

/** Actions that at most read. */
export const HARMLESS_READS: ReadonlySet<string> = new Set([
${namesOf(harmless.filter(onlyReads))}
]);

/** Actions that change something and leave it at that when they run again. */
export const HARMLESS_CHANGES: ReadonlySet<string> = new Set([
${namesOf(harmless.filter((each) => !onlyReads(each)))}
]);
`;
};

const onlyReads = ({ effects }: Description): boolean => effects.every((effect) => effect === 'reads');

const namesOf = (descriptions: readonly Description[]): string =>
  descriptions
    .flatMap(({ name, aliases }) => [name, ...aliases])
    .sort()
    .map((name) => `  '${name}',`)
    .join('\n');
