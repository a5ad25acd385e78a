import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { changesBetween, snapshot } from './disk.ts';

const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'coverage', '.data', '.factotum']);

/** A copy of the project to try things in; the packages are those of the original. */
const copyProject = () => {
  const project = tempDir();
  cpSync('.', project.path, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) });
  const before = snapshot(project.path);
  symlinkSync(join(process.cwd(), 'node_modules'), project.at('node_modules'));
  return {
    ...project,
    run(command: string) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: project.path,
        encoding: 'utf8',
        env: { ...process.env, CI: '1' },
      });
      if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
    },
    /** What was written by hand or in its place; derived files are left out. */
    changes: () => [...changesBetween(before, snapshot(project.path))].filter(([path]) => !isDerived(path)).sort(),
  };
};

const isDerived = (path: string): boolean => path === 'node_modules' || /\.generated\.|^schema\/|^docs\/reference\//.test(path);

/** The commands of the first shell block of CONTRIBUTING.md. */
const steps = (/```sh\n(.+?)```/s.exec(readFileSync('CONTRIBUTING.md', 'utf8'))?.[1] ?? '').trimEnd().split('\n');

const withoutSpace = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '').replaceAll(',]', ']');

test('an action is two new files and its name in the index of its family, by the steps of CONTRIBUTING.md', { timeout: 120_000 }, () => {
  using project = copyProject();
  const index = 'src/actions/files/index.ts';
  const indexBefore = project.read(index);
  for (const command of steps) project.run(command);
  expect(project.changes()).toEqual([
    ['src/actions/files/greet-file.test.ts', 'create'],
    ['src/actions/files/greet-file.ts', 'create'],
    [index, 'overwrite'],
  ]);
  const indexAfter = project
    .read(index)
    ?.replace("import { greetFile } from './greet-file.ts';\n", '')
    .replace(/,\s*greetFile(?=,?\s*\])/, '');
  expect(withoutSpace(indexAfter)).toBe(withoutSpace(indexBefore));
  project.run('npx biome check src/actions/files/greet-file.ts src/actions/files/greet-file.test.ts');
});

test('every family takes one more action, and a new one is made', { timeout: 120_000 }, () => {
  using project = copyProject();
  const families = [
    ...readdirSync('src/actions', { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
    'greetings',
  ];
  project.run(families.map((family) => `node scripts/new.mjs action ${family}/greet-${family}`).join(' && '));
  project.run('node scripts/run-ts.mjs scripts/generate/main.ts');
  const catalogue = project.read('src/app/catalogue.generated.ts') ?? '';
  expect(families.filter((family) => !catalogue.includes(`"FA_greet_${family.replaceAll('-', '_')}"`))).toEqual([]);
  expect(project.changes().filter(([path]) => path.startsWith('src/actions/greetings/'))).toEqual([
    ['src/actions/greetings/greet-greetings.test.ts', 'create'],
    ['src/actions/greetings/greet-greetings.ts', 'create'],
    ['src/actions/greetings/index.ts', 'create'],
  ]);
  project.run('npx biome check src/actions/greetings');
});
