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

const isDerived = (path: string): boolean =>
  path === 'node_modules' || path === 'docs/explanation/what-we-tried.md' || /\.generated\.|^schema\/|^docs\/reference\//.test(path);

/** The commands of the first shell block of CONTRIBUTING.md. */
const steps = (/```sh\n(.+?)```/s.exec(readFileSync('CONTRIBUTING.md', 'utf8'))?.[1] ?? '').trimEnd().split('\n');

/** What actions and files of actions are called in a project: whoever has followed the steps before has those of CONTRIBUTING.md. */
const namesIn = (project: string): ReadonlySet<string> => {
  const folder = join(project, 'src/actions');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const actions = files.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/name: 'FA_(\w+)'/g)]);
  return new Set([...files.map((file) => basename(file, '.ts')), ...actions.map(([, name = '']) => name.replaceAll('_', '-'))]);
};

/** The name, or with the first number behind it that makes it a new one. */
const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
  return name;
};

const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const withoutSpace = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '').replaceAll(',]', ']');

test('an action is two new files and its name in the index of its family, by the steps of CONTRIBUTING.md', { timeout: 300_000 }, () => {
  using project = copyProject();
  const name = freeName('greet-file', namesIn(project.path));
  const index = 'src/actions/files/index.ts';
  const indexBefore = project.read(index);
  for (const command of steps) project.run(command.replaceAll('greet-file', name));
  expect(project.changes()).toEqual([
    [`src/actions/files/${name}.test.ts`, 'create'],
    [`src/actions/files/${name}.ts`, 'create'],
    [index, 'overwrite'],
  ]);
  const indexAfter = project
    .read(index)
    ?.replace(`import { ${camelCase(name)} } from './${name}.ts';\n`, '')
    .replace(new RegExp(`,\\s*${camelCase(name)}(?=,?\\s*\\])`), '');
  expect(withoutSpace(indexAfter)).toBe(withoutSpace(indexBefore));
  project.run(`npx biome check src/actions/files/${name}.ts src/actions/files/${name}.test.ts`);
});

test('every family takes one more action, and a new one is made', { timeout: 300_000 }, () => {
  using project = copyProject();
  project.run('node scripts/new.mjs action files/greet-files'); // somebody has tried it before
  const taken = namesIn(project.path);
  const families = readdirSync('src/actions', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const fresh = freeName('greetings', new Set(families));
  const names = new Map([...families, fresh].map((family) => [family, freeName(`greet-${family}`, taken)]));
  expect(taken).not.toContain(names.get('files'));
  project.run([...names].map(([family, name]) => `node scripts/new.mjs action ${family}/${name}`).join(' && '));
  project.run('node scripts/run-ts.mjs scripts/generate/main.ts');
  const catalogue = project.read('src/app/catalogue.generated.ts') ?? '';
  expect([...names.values()].filter((name) => !catalogue.includes(`"FA_${name.replaceAll('-', '_')}"`))).toEqual([]);
  const folder = `src/actions/${fresh}`;
  expect(project.changes().filter(([path]) => path.startsWith(`${folder}/`))).toEqual([
    [`${folder}/${names.get(fresh)}.test.ts`, 'create'],
    [`${folder}/${names.get(fresh)}.ts`, 'create'],
    [`${folder}/index.ts`, 'create'],
  ]);
  project.run(`npx biome check ${folder}`);
});
