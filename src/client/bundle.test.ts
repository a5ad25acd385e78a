import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { openHttpDoor } from '../../test/support/http-door.ts';

const bundle = async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    globalName: 'factotum',
    write: false,
    metafile: true,
  });
  return { text: outputFiles[0]?.text ?? '', sources: Object.keys(metafile.inputs) };
};

test('is small and stands alone', async () => {
  const { text, sources } = await bundle();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(25_000);
  expect(sources.filter((source) => !source.startsWith('src/client/')).sort()).toEqual([
    'src/core/error-of.ts',
    'src/core/errors.ts',
    'src/core/unchecked.ts',
  ]);
});

test('runs where there is nothing of Node', async () => {
  await using door = await openHttpDoor({ house: { files: { 'a.txt': 'hello' } } });
  // What a browser has too; the language itself brings the rest.
  const context = createContext({ fetch, URL, AbortController, setTimeout, clearTimeout, address: door.url });
  runInContext((await bundle()).text, context);
  const run = (code: string): Promise<unknown> => runInContext(code, context);
  expect(await run(`new factotum.HTTPActionClient(address).call('FA_read_file', { file_path: 'a.txt' })`)).toBe('hello');
  expect(await run(`new factotum.HTTPActionClient(address).call('FA_read_file', { file_path: 'b' }).catch(({ type }) => type)`)).toBe(
    'FileNotExistsException',
  );
});
