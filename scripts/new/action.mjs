import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withAction } from './register.mjs';
import { actionSource, familySource, testSource } from './templates.mjs';

/** Writes an action and its test, names it in its family, and answers what to do next. */
export const newAction = (family, name) => {
  const folder = join('src/actions', family);
  const [source, test, index] = [`${name}.ts`, `${name}.test.ts`, 'index.ts'].map((file) => join(folder, file));
  const words = wordsFor(family, name);
  demandFree([source, test], words.action);
  const isNewFamily = !existsSync(index);
  // Settled before anything is written, so that a family that cannot be edited leaves nothing half done.
  const indexText = isNewFamily ? familySource(words) : withAction(readFileSync(index, 'utf8'), `./${name}.ts`, words.export);

  mkdirSync(folder, { recursive: true });
  writeFileSync(source, actionSource(words));
  writeFileSync(test, testSource(words));
  writeFileSync(index, indexText);
  return `Written: ${source}, ${test}
${isNewFamily ? 'Written' : 'Registered in'}: ${index}

It works already: it writes a greeting to a file. Next:
  1. Make it yours: summary, arguments, example, plan and run in ${source}${isNewFamily ? `; the opening comment, group and summary in ${index}` : ''}.
  2. npm run generate
  3. npx vitest run ${test}
CONTRIBUTING.md tells more.`;
};

/** The names of one thing in every place where it is named. */
const wordsFor = (family, name) => ({
  file: name,
  action: `FA_${name.replaceAll('-', '_')}`,
  export: camelCase(name),
  type: camelCase(`-${name}`),
  family,
  familyExport: camelCase(family),
});

const camelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

const demandFree = (paths, action) => {
  const taken = paths.find((path) => existsSync(path));
  if (taken !== undefined) throw new Error(`${taken} exists already; choose another name.`);
  const sources = readdirSync('src/actions', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const holder = sources.find((file) => readFileSync(join('src/actions', file), 'utf8').includes(`name: '${action}'`));
  if (holder !== undefined) throw new Error(`src/actions/${holder} defines ${action} already; choose another name.`);
};
