import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createInstance } from '../../src/app/create.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** The blocks of a page that show a list or a graph. */
const listsOf = (page: string): unknown[] =>
  [...page.matchAll(/^```json\n(.*?)^```/gms)].flatMap(([, block = '']) => {
    const value: unknown = JSON.parse(block);
    const isList = Array.isArray(value)
      ? Array.isArray(value[0])
      : typeof value === 'object' && value !== null && ('actions' in value || 'nodes' in value);
    return isList ? [value] : [];
  });

/** Commands of a list that delete something though one before them may have failed. */
const carelessIn = (list: unknown): string[] => {
  if (Array.isArray(list)) return list.slice(1).flatMap(removerIn);
  if (typeof list !== 'object' || list === null) return [];
  if ('nodes' in list && Array.isArray(list.nodes))
    return list.nodes.flatMap((node: { action: unknown; run?: string }) => (node.run === 'always' ? removerIn(node.action) : []));
  const { actions, stop_on_error } = list as { readonly actions: unknown; readonly stop_on_error?: boolean };
  return stop_on_error === true ? [] : carelessIn(actions);
};

const removerIn = (command: unknown): string[] => {
  const [name] = Array.isArray(command) ? command : [];
  return typeof name === 'string' && factotum.registry.about(name)?.effects.includes('removes') === true ? [name] : [];
};

test('no example deletes anything after a command that may have failed', () => {
  const examples = readdirSync('examples').filter((name) => name.endsWith('.json'));
  for (const name of examples) expect(carelessIn(JSON.parse(readFileSync(`examples/${name}`, 'utf8'))), name).toEqual([]);
});

for (const page of pages) {
  const text = readFileSync(page, 'utf8');

  test(`the lists shown in ${page} are valid`, async () => {
    for (const list of listsOf(text)) await expect(factotum.validate(list)).resolves.toBeInstanceOf(Array);
  });

  test(`the lists shown in ${page} delete nothing after a command that may have failed`, () => {
    for (const list of listsOf(text)) expect(carelessIn(list)).toEqual([]);
  });

  test(`the links of ${page} lead somewhere`, () => {
    const folder = new URL(`../../${page}`, import.meta.url);
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
    for (const target of targets) expect(() => readdirOrFile(new URL(target, folder)), target).not.toThrow();
  });
}

const readdirOrFile = (url: URL): void => {
  try {
    readFileSync(url);
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EISDIR')) throw fault;
  }
};
