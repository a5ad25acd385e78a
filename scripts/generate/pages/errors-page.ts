import { derivedFrom, table } from './markdown.ts';

/** A class of the catalogue, as its source says it. */
interface ErrorType {
  readonly name: string;
  readonly under: string;
  readonly meaning: string;
}

interface Section {
  readonly heading: string;
  readonly types: readonly ErrorType[];
}

/** Reads section comments, doc comments and classes; a class without a type of its own is internal and left out. */
const PIECE =
  /^\/\/ (?<heading>.+)$|^\/\*\* (?<meaning>.+) \*\/\nexport class (?<name>\w+) extends (?<under>\w+) \{\n {2}(?:override )?readonly type(?:: string)? = '\k<name>';/gm;

const sectionsOf = (source: string): Section[] => {
  const sections: { heading: string; types: ErrorType[] }[] = [];
  for (const { groups = {} } of source.matchAll(PIECE)) {
    const { heading, name = '', under = '', meaning = '' } = groups;
    if (heading !== undefined) sections.push({ heading, types: [] });
    else sections.at(-1)?.types.push({ name, under, meaning });
  }
  return sections;
};

/** The page of all error types, from the source of the catalogue. */
export const errorsPage = (source: string): string => `${derivedFrom('src/core/errors.ts')}

# Errors

Whatever goes wrong, a caller meets one of these types, the same at every door: in a result, over HTTP, in a thrown error of the library.
All of them are \`FileAutomationException\`s; some are kinds of another type, so that a program may catch the wider one.

\`\`\`json
{
  "type": "FileNotExistsException",
  "message": "No file is at /data/a.txt; check the path.",
  "retryable": false,
  "context": { "argument": "file_path", "path": "/data/a.txt" }
}
\`\`\`

- \`type\` is one of the names below. A name that was retired is not used again.
- \`message\` says what, where and the remedy, for people. Programs read \`type\` and \`context\`.
- \`retryable\` is true where the same call may succeed later without a change.
- \`context\` names the place: argument, path, index. It never holds a secret.

${sectionsOf(source).map(sectionText).join('\n\n')}
`;

const sectionText = ({ heading, types }: Section): string =>
  `## ${heading}\n\n${table(
    ['type', 'kind of', 'when'],
    types.map(({ name, under, meaning }) => [`\`${name}\``, under === 'FileAutomationException' ? '' : `\`${under}\``, meaning]),
  )}`;
