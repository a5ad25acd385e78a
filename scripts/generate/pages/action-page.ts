import type { Action } from '../../../src/core/action.ts';
import { effectsOf } from '../../../src/core/effects.ts';
import type { Example } from '../../../src/core/example.ts';
import type { LocatedFamily } from '../families.ts';
import { code, derivedFrom, table, title } from './markdown.ts';
import { spacedJson } from './spaced-json.ts';
import { argumentWords, typeWords } from './type-words.ts';

/** Longer file contents are cut on the page. */
const SHOWN_CHARACTERS = 120;

/** The reference page of a family. */
export const familyPage = (family: LocatedFamily): string =>
  `${[
    derivedFrom(`src/actions/${family.name}`),
    `# ${title(family.name)}`,
    `${family.summary} Access rules and tool sets call this group ${code(family.group)}.`,
    family.actions.map(({ name, summary }) => `- [${name}](#${name.toLowerCase()}): ${summary}`).join('\n'),
    ...family.actions.flatMap(actionSection),
  ].join('\n\n')}\n`;

const actionSection = (action: Action): string[] => {
  const { name, summary, aliases = [], deprecated, args, returns, question, idempotent = false, reserved = false, onlyNow } = action;
  const { examples } = action;
  const effects = effectsOf(args, action);
  return [
    `## ${name}`,
    summary,
    ...(deprecated === undefined ? [] : [`**Deprecated** since ${deprecated.since}; use ${deprecated.use}.`]),
    ...(aliases.length === 0 ? [] : [`Also called ${aliases.map(code).join(', ')}.`]),
    argumentTable(args),
    [
      `- Gives: ${typeWords(returns.schema)}.`,
      ...(question === undefined ? [] : [`- Answers no when ${question.no}: \`factotum exec\` exits with 1 then.`]),
      `- Effects: ${effects.length === 0 ? 'none' : effects.join(', ')}.`,
      `- Idempotent: ${idempotent ? 'yes, running it again is harmless' : 'no'}.`,
      ...(reserved ? ['- Reserved: for the owner, and for tokens whose `allow` has its very name.'] : []),
      ...(onlyNow === undefined ? [] : [`- Not in lists that are kept for later, ${onlyNow}.`]),
    ].join('\n'),
    ...examples.flatMap((example) => exampleParts(name, example)),
  ];
};

const argumentTable = (args: Action['args']): string => {
  const rows = Object.entries(args).map(([key, arg]) => [
    code(key),
    argumentWords(arg),
    arg.optional ? code(JSON.stringify(arg.fallback)) : 'required',
    arg.description,
  ]);
  return rows.length === 0 ? 'It takes no arguments.' : table(['argument', 'type', 'default', 'description'], rows);
};

const exampleParts = (name: string, example: Example): string[] => {
  const { about, args } = example;
  const command = Object.keys(args).length === 0 ? [name] : [name, args];
  const circumstances = [...before(example), ...after(example)];
  return [
    `Example${about === undefined ? ':' : `. ${about}`}`,
    `\`\`\`json\n${spacedJson(command)}\n\`\`\``,
    ...(circumstances.length === 0 ? [] : [circumstances.map((line) => `- ${line}`).join('\n')]),
  ];
};

const before = ({ files = {}, dirs = [], links = {}, after: commands = [] }: Example): string[] => {
  const there = [
    ...Object.entries(files).map(([path, content]) => `${code(path)} holds ${contentWords(content)}`),
    ...dirs.map((path) => `${code(path)} is a directory`),
    ...Object.entries(links).map(([path, target]) => `${code(path)} is a link to ${code(target)}`),
    ...commands.map((command) => `${code(spacedJson(command))} has run`),
  ];
  return there.length === 0 ? [] : [`Before: ${there.join('; ')}.`];
};

const after = ({ value, fails, leaves = {} }: Example): string[] => [
  ...(fails === undefined ? [] : [`Fails with ${code(fails)}.`]),
  ...(value === undefined ? [] : [`Value: ${code(shortened(spacedJson(value)))}`]),
  ...(Object.keys(leaves).length === 0
    ? []
    : [
        `After: ${Object.entries(leaves)
          .map(([path, content]) => `${code(path)} ${content === null ? 'is not there' : `holds ${contentWords(content)}`}`)
          .join('; ')}.`,
      ]),
];

const contentWords = (content: string | { readonly base64: string }): string => {
  if (typeof content !== 'string') return `${Buffer.from(content.base64, 'base64').byteLength} bytes`;
  return content === '' ? 'nothing' : code(shortened(JSON.stringify(content)));
};

const shortened = (text: string): string => (text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`);
