import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { expect, test } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';

const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs');

/** Follows every import below `src` of a project. */
const cruised = async (baseDir: string) => {
  const { output } = await cruise(['src'], { ...options, ruleSet: { forbidden }, validate: true, baseDir }, undefined, {
    tsConfig: extractTSConfig('tsconfig.json'),
  });
  const { summary } = output as ICruiseResult; // without an output type the answer is the result itself
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => `${from} → ${to}: ${rule.name}`).sort(),
  };
};

test('rooms import only what their row in ARCHITECTURE.md allows', { timeout: 180_000 }, async () => {
  const { modules, violations } = await cruised(process.cwd());
  expect(violations).toEqual([]);
  // With a TypeScript that it cannot load the tool finds no modules at all and is content.
  expect(modules).toBeGreaterThan(50);
});

test('every room has a rule', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const ruled: readonly string[] = forbidden.map((rule: { from: { path?: string } }) => rule.from.path);
  expect(rooms.map(({ name }) => name).filter((name) => !ruled.includes(`^src/${name}/`))).toEqual([]);
});

test('the rules bite', { timeout: 180_000 }, async () => {
  using project = tempDir({
    'src/core/words.ts': "import '../lib/tool.ts';\nexport interface Word { readonly text: string }\nexport const word = 1;\n",
    'src/lib/tool.ts': "import type { Word } from '../core/words.ts';\nexport const tool = (word: Word) => word;\n",
    'src/lib/one.ts': "import { two } from './two.ts';\nexport const one = () => two;\n",
    'src/lib/two.ts': "import { one } from './one.ts';\nexport const two = () => one;\n",
    'src/files/port.ts': "import { gate } from '../access/gate.ts';\nexport const port = gate;\n",
    'src/access/gate.ts': 'export const gate = 1;\n',
    'src/actions/a/act.ts':
      "import { readFileSync } from 'node:fs';\nimport { other } from '../b/other.ts';\nexport const act = [readFileSync, other];\n",
    'src/actions/b/other.ts': "import './missing.ts';\nexport const other = 1;\n",
  });
  expect((await cruised(project.path)).violations).toEqual([
    'src/actions/a/act.ts → fs: actions reach disk, network and programs only through their context',
    'src/actions/a/act.ts → src/actions/b/other.ts: no family imports another',
    'src/actions/b/other.ts → ./missing.ts: every import leads somewhere',
    'src/core/words.ts → src/lib/tool.ts: core imports only itself',
    'src/files/port.ts → src/access/gate.ts: files takes only types from access/',
    'src/lib/one.ts → src/lib/two.ts: no circle of imports',
  ]);
});

/** What the table says that a room may import, beside types and what is of its own; `all` is everything. */
const importsInTable = (row: string): string[] => {
  const cell = row.split('|').at(-2)?.trim() ?? '';
  return cell
    .split(', ')
    .filter((each) => !/\(types\)$|^own |^nothing/.test(each))
    .map((each) => (each === 'all' ? '' : each))
    .sort();
};

test('the table of rooms in ARCHITECTURE.md says of every room what the rules say', () => {
  const rows = readFileSync('ARCHITECTURE.md', 'utf8').split('\n');
  const rooms = readdirSync('src', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const inTable = rooms.map((room) => [room, importsInTable(rows.find((row) => row.startsWith(`| \`${room}/\` |`)) ?? 'no row')]);
  const inRules = rooms.map((room) => {
    const { name } = forbidden.find((rule: { name: string }) => rule.name.startsWith(`${room} imports only itself`)) ?? { name: '' };
    const may: string[] = name.split(', ').slice(1);
    return [room, may.map((path) => path.replace(/(?:\/|\.ts)$/, '')).sort()];
  });
  expect(inTable).toEqual(inRules);
});
