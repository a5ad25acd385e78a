import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Programs of users against the declarations as they are packed, judged by the oldest compiler that is admitted and by the newest ones.
const COMPILERS = { '5.4': 'typescript-5.4', '6': 'typescript', '7': 'typescript-7' } as const;
const HERE = 'test/typed';

/** A project in which the package is installed as far as its declarations go. */
let app: string;
beforeAll(async () => {
  app = mkdtempSync(resolve('node_modules/.factotum-types-'));
  const installed = join(app, 'node_modules', 'factotum');
  mkdirSync(installed, { recursive: true });
  const { buildTypes } = await import('../../scripts/build/declarations.mjs');
  await buildTypes(join(app, 'types'));
  cpSync(join(app, 'types'), join(installed, 'dist', 'types'), { recursive: true });
  copyFileSync('package.json', join(installed, 'package.json'));
  symlinkSync(resolve('node_modules/@types'), join(app, 'node_modules', '@types'));
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  for (const folder of ['compiles', 'fails'])
    for (const file of readdirSync(join(HERE, folder)))
      copyFileSync(join(HERE, folder, file), join(app, `${folder}-${basename(file, '.txt')}.ts`));
});
afterAll(() => rmSync(app, { recursive: true }));

interface Told {
  readonly place: string;
  readonly message: string;
}

interface Setting {
  readonly compiler: string;
  readonly options?: object;
}

/** What a compiler says of some files, each message with all of its lines. */
const check = async (files: readonly string[], { compiler, options = {} }: Setting): Promise<string> => {
  const name = join(app, `tsconfig-${compiler}-${files[0]}.json`);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    lib: ['es2022', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
    ...options,
  };
  writeFileSync(name, JSON.stringify({ compilerOptions, files }));
  const tsc = resolve('node_modules', compiler, 'bin', 'tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '--pretty', 'false', '-p', name], { cwd: app });
  return (await run.catch((fault: { readonly stdout: string }) => fault)).stdout;
};

const messagesIn = (printed: string): Told[] =>
  printed
    .split(/\n(?=\S)/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, file = '', line = ''] = /^([^(]+)\((\d+),/.exec(part) ?? [];
      return { place: `${file}:${line}`, message: part };
    });

const filesOf = (folder: string): string[] => readdirSync(join(HERE, folder)).map((file) => `${folder}-${basename(file, '.txt')}.ts`);

/** The line below each `// expected:` of a file, and what a compiler has to say of it. */
const expectedIn = (file: string): Told[] =>
  readFileSync(join(app, file), 'utf8')
    .split('\n')
    .flatMap((line, at) => (line.startsWith('// expected: ') ? [{ place: `${file}:${at + 2}`, message: line.slice(13) }] : []));

describe.each(Object.entries(COMPILERS))('TypeScript %s', (_, compiler) => {
  test('takes every program that is right', async () => {
    expect(await check(filesOf('compiles'), { compiler })).toBe('');
  });

  test('tells what is wrong, at its line and in a few words', async () => {
    const expected = filesOf('fails').flatMap(expectedIn);
    const told = messagesIn(await check(filesOf('fails'), { compiler }));
    expect([...new Set(told.map(({ place }) => place))].sort()).toEqual(expected.map(({ place }) => place).sort());
    // Where a name is wrong, a compiler may say of its arguments as well that they fit no action; the first message counts.
    for (const { place, message } of expected) expect(told.find((each) => each.place === place)?.message).toContain(message);
    for (const { message } of told) expect(message.length, message).toBeLessThan(1500);
  });

  test('finds nothing wrong in the declarations themselves', async () => {
    const printed = await check(['compiles-lists.ts'], { compiler, options: { skipLibCheck: false } });
    expect(messagesIn(printed).filter(({ place }) => place.includes('factotum'))).toEqual([]);
  });

  test('takes the client where there are no types of Node', async () => {
    const options = { lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler', types: [], skipLibCheck: false };
    expect(await check(['compiles-client.ts'], { compiler, options })).toBe('');
  });
});

test('the programs of the page on the library compile, each on its own', async () => {
  const programs = [...readFileSync('docs/how-to/library.md', 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, program = '']) => program);
  expect(programs.length).toBeGreaterThan(5);
  const names = programs.map((program, at) => {
    writeFileSync(join(app, `page-${at}.ts`), program);
    return `page-${at}.ts`;
  });
  expect(await check(names, { compiler: 'typescript-7' })).toBe('');
});

test('what a program has to read of the library stays little', async () => {
  const printed = await check(['compiles-lists.ts'], { compiler: 'typescript', options: { extendedDiagnostics: true, listFiles: true } });
  const count = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(printed)?.[1]);
  const files = printed.split('\n').filter((line) => line.includes('node_modules/factotum/dist/types/'));
  const handWritten = files.filter((file) => !/actions\.generated/.test(file)); // what is derived grows with every action
  const bytes = handWritten.reduce((sum, file) => sum + readFileSync(file).length, 0);
  expect(files.length).toBeLessThan(120);
  expect(bytes).toBeLessThan(300_000);
  expect(count('Instantiations')).toBeGreaterThan(0);
  expect(count('Instantiations')).toBeLessThan(120_000);
  expect(files.filter((file) => /zod|undici|\/ws\//.test(readFileSync(file, 'utf8')))).toEqual([]);
});
