import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { isPlainPlace } from '../../support/plain-place.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const answerOf = async (name: string, args: object): Promise<unknown> => {
  const { results } = await factotum.run([[name, args]]);
  expect(results[0]).toMatchObject({ status: 'ok' });
  return results[0]?.value;
};

const programOf = (...names: readonly string[]) => names.find((name) => spawnSync(name, ['--version']).status === 0);

/** What a program prints, line by line, sorted; one that finds nothing says so by its status. */
const printed = (program: string, words: readonly string[]): string[] => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0 && status !== 1) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .sort();
};

const names = fc.constantFrom('a', 'b.txt', 'B.TXT', '.c', 'é.md', 'x y', 'a-b', 'z.ts', '[q]', 'm.log');
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const lines = fc.constantFrom('alpha beta', 'Alpha', 'beta gamma', 'größe', 'x = alphabet[1];', '', 'tab\there', 'alpha\r');
const contents = fc.array(lines, { maxLength: 30 }).chain((all) => fc.boolean().map((ends) => all.join('\n') + (ends ? '\n' : '')));

/** A tree with files, empty directories and links; a path that cannot be made because a file is in its way is left out. */
const trees = fc.record({
  files: fc.array(fc.tuple(paths, contents), { maxLength: 25 }),
  dirs: fc.array(paths, { maxLength: 4 }),
  links: fc.array(paths, { maxLength: 3 }),
});

const grow = ({ files, dirs, links }: { files: [string, string][]; dirs: string[]; links: string[] }): TempDir => {
  const dir = tempDir();
  const attempt = (work: () => unknown) => {
    try {
      work();
    } catch {
      // something else is there already
    }
  };
  for (const [path, content] of files) attempt(() => dir.write(path, content));
  for (const path of dirs) attempt(() => mkdirSync(dir.at(path), { recursive: true }));
  for (const path of links) attempt(() => isPlainPlace(dir.at(path)) && symlinkSync('..', dir.at(path)));
  return dir;
};

const fd = programOf('fdfind', 'fd');
describe.skipIf(fd === undefined)('FA_fast_find finds what fd finds', () => {
  const cases: readonly (readonly [about: string, args: object, words: readonly string[]])[] = [
    ['everything', { files_only: false }, ['.']],
    ['files', {}, ['-t', 'f', '.']],
    ['an extension', { pattern: '*.txt' }, ['-t', 'f', '-e', 'txt', '.']],
    ['a pattern', { pattern: '[am][.-]*', files_only: false }, ['-g', '-i', '[am][.-]*']],
    ['all but a name', { exclude: ['a'] }, ['-t', 'f', '-E', 'a', '.']],
  ];
  test.each(cases)('%s', async (_, args, words) => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        using dir = grow(tree);
        const found = (await answerOf('FA_fast_find', { root: dir.path, use_index: false, ...args })) as string[];
        expect(found).toEqual([...found].sort());
        expect(found).toEqual(
          printed(fd ?? '', ['-u', ...words, dir.path])
            .map((path) => path.replace(/\/$/, ''))
            .sort(),
        );
      }),
      { numRuns: 25 },
    );
  });
});

const rg = programOf('rg');
describe.skipIf(rg === undefined)('FA_grep finds what ripgrep finds', () => {
  const cases: readonly (readonly [about: string, args: object, words: readonly string[]])[] = [
    ['a text', { pattern: 'alpha' }, ['-F', 'alpha']],
    ['a text in either case', { pattern: 'ALPHA', ignore_case: true }, ['-F', '-i', 'ALPHA']],
    ['letters beyond ASCII in either case', { pattern: 'GRÖ', ignore_case: true }, ['-F', '-i', 'GRÖ']],
    ['an expression', { pattern: '^[a-z]+ b|\\[1\\]', regex: true }, ['^[a-z]+ b|\\[1\\]']],
    ['an expression at the end of lines', { pattern: 'alpha$', regex: true }, ['--crlf', 'alpha$']],
    ['in some files', { pattern: 'a', glob: '*.txt' }, ['-F', '-g', '*.txt', 'a']],
  ];
  test.each(cases)('%s', async (_, args, words) => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        using dir = grow(tree);
        const found = (await answerOf('FA_grep', { root: dir.path, max_matches: 100_000, ...args })) as {
          path: string;
          line: number;
          text: string;
        }[];
        const said = found.map(({ path, line, text }) => `${path}:${line}:${text}`);
        expect(said.sort()).toEqual(
          printed(rg ?? '', ['-uu', '-n', '--no-heading', ...words, dir.path])
            .map((line) => line.replace(/\r+$/, ''))
            .sort(),
        );
      }),
      { numRuns: 25 },
    );
  });

  test('the lines around', async () => {
    using dir = tempDir({ a: 'one\ntwo\nhit\nfour\nfive\nsix\n' });
    expect(await answerOf('FA_grep', { root: dir.path, pattern: 'hit', before: 1, after: 2 })).toEqual([
      { path: dir.at('a'), line: 3, text: 'hit', before: ['two'], after: ['four', 'five'] },
    ]);
    expect(execFileSync(rg ?? '', ['-B1', '-A2', 'hit', dir.at('a')], { encoding: 'utf8' })).toBe('two\nhit\nfour\nfive\n');
  });
});
