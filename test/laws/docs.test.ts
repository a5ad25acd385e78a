import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createFactotum } from '../../src/app/create.ts';

const factotum = createFactotum({ log: { level: 'silent' } });
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

for (const page of pages) {
  const text = readFileSync(page, 'utf8');

  test(`the lists shown in ${page} are valid`, async () => {
    for (const list of listsOf(text)) await expect(factotum.validate(list)).resolves.toBeInstanceOf(Array);
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
