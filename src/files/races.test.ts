import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, openGuarded, signal } from '../../test/e2e/files/ports.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import type { Change } from '../core/journal.ts';

/** A root, what lies outside, and an attacker who strikes once when told to. */
const scene = (setup: NonNullable<RaceCase['setup']>) => {
  const dir = tempDir({ 'outside/secret.txt': 'secret', 'outside/f': 'outside' });
  const [root, outside] = [dir.at('base'), dir.at('outside')];
  mkdirSync(root);
  for (const { dir: made, file } of setup) {
    mkdirSync(join(root, made ?? dirname(file ?? '')), { recursive: true });
    if (file !== undefined) writeFileSync(join(root, file), 'inside');
  }
  let struck = false;
  const once = (strike: () => void) => () => {
    if (!struck) {
      struck = true;
      strike();
    }
  };
  /** Puts a link in the place of something inside. */
  const swap = (name: string, target = outside) =>
    once(() => {
      if (existsSync(join(root, name))) renameSync(join(root, name), join(root, `${name}-away`));
      symlinkSync(target, join(root, name));
    });
  return { root, outside, swap, once, [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

type Scene = ReturnType<typeof scene>;

/** When the attacker strikes: after the path was judged, before it is used. */
const between = (strike: () => void, when: (real: string) => boolean = () => true) => ({
  between: (real: string) => void (when(real) && strike()),
});

const RACES: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'rc-write-dir': ({ root, swap }) => openGuarded(root, between(swap('d'))).write('d/f', Buffer.from('mine'), { signal }),
  'rc-write-leaf': ({ root, outside, swap }) =>
    openGuarded(root, between(swap('d/f', join(outside, 'secret.txt')))).write('d/f', Buffer.from('mine'), { signal }),
  'rc-read-leaf': ({ root, outside, swap }) => openGuarded(root, between(swap('f', join(outside, 'secret.txt')))).read('f'),
  'rc-read-dir': ({ root, swap }) => openGuarded(root, between(swap('d'))).read('d/f'),
  'rc-rename': ({ root, swap }) => openGuarded(root).copy('d/f', 't/f', { signal, keepMetadata: true, onBytes: swap('t') }),
  'rc-delete-tree': ({ root, swap }) => {
    writeFileSync(join(root, 'd/a'), ''); // its removal comes after the listing of d and before x is entered
    return openGuarded(root, { before: swap('d/x') }).removeTree('d', { signal });
  },
  'rc-copy-tree': ({ root, swap }) => {
    writeFileSync(join(root, 'd/a'), 'x');
    return openGuarded(root).copyTree('d', 'e', { signal, keepMetadata: true, onBytes: swap('d/x') });
  },
  'rc-tmp': async ({ root, outside }) => {
    for (const name of ['f.tmp', '.f.tmp', 'f.part', '.f.swp', 'f~', '.factotum-f.part', `.factotum-${process.pid}.part`]) {
      symlinkSync(join(outside, 'secret.txt'), join(root, 'd', name));
    }
    await openGuarded(root).write('d/f', Buffer.from('mine'), { signal });
  },
  'rc-mkdirp': ({ root, swap }) =>
    openGuarded(
      root,
      between(swap('a/b'), (real) => real.endsWith('/c') && existsSync(join(root, 'a/b'))),
    ).makeDir('a/b/c', { parents: true }),
};

interface RaceCase {
  readonly id: string;
  readonly setup?: readonly { readonly dir?: string; readonly file?: string }[];
  readonly expect: { readonly error?: string };
}

const CORPUS = new URL('../../test/fixtures/corpus/path-traversal.json', import.meta.url);
const { cases: allCases }: { cases: RaceCase[] } = JSON.parse(readFileSync(CORPUS, 'utf8'));
const cases = allCases.filter(({ id }) => id.startsWith('rc-'));

describe('an attacker who swaps what is used', () => {
  test.each(cases.filter(({ id }) => id in RACES))(
    '$id changes, reads and makes nothing outside',
    async ({ id, setup = [], expect: expected }) => {
      using stage = scene(setup);
      const outcome = await failure(RACES[id]?.(stage) ?? Promise.resolve());
      if (expected.error !== undefined) expect(outcome).toBe(expected.error);
      expect(readdirSync(stage.outside).sort()).toEqual(['f', 'secret.txt']);
      expect(readFileSync(join(stage.outside, 'secret.txt'), 'utf8')).toBe('secret');
      expect(readFileSync(join(stage.outside, 'f'), 'utf8')).toBe('outside');
      expect(JSON.stringify(outcome)).not.toContain('secret');
      expect(copiesOfSecrets(stage.root)).toEqual([]);
    },
  );

  test('has no case that is not tried here or with two processes', () => {
    expect(cases.map(({ id }) => id).filter((id) => !(id in RACES))).toEqual(['rc-toggle']);
  });

  test.each([
    ['a move away', (port: ReturnType<typeof openGuarded>) => port.move('d/f', 'g', { signal })],
    ['a move there', (port: ReturnType<typeof openGuarded>) => port.move('t/f', 'd/g', { signal })],
    ['a removal', (port: ReturnType<typeof openGuarded>) => port.remove('d/f')],
    ['a new link', (port: ReturnType<typeof openGuarded>) => port.makeLink('d/l', 'f')],
    ['a new directory', (port: ReturnType<typeof openGuarded>) => port.makeDir('d/new')],
    ['a mode', (port: ReturnType<typeof openGuarded>) => port.setMode('d/f', 0o777)],
    ['a removed tree', (port: ReturnType<typeof openGuarded>) => port.removeTree('d/x', { signal })],
    ['a new tree', (port: ReturnType<typeof openGuarded>) => port.copyTree('t', 'd/new', { signal, keepMetadata: true })],
  ])('cannot send %s elsewhere', async (_, call) => {
    using stage = scene([{ file: 'd/f' }, { file: 'd/x/f' }, { file: 't/f' }]);
    const strike = stage.swap('d');
    const early = await failure(
      call(
        openGuarded(
          stage.root,
          between(strike, (real) => real.startsWith(join(stage.root, 'd'))),
        ),
      ),
    );
    expect(early).toBe('PathTraversalException');
    expect(readdirSync(stage.outside).sort()).toEqual(['f', 'secret.txt']);
  });

  test.each([
    ['a write', (port: ReturnType<typeof openGuarded>) => port.write('d/f', Buffer.from('x'), { signal })],
    ['a move away', (port: ReturnType<typeof openGuarded>) => port.move('d/f', 'g', { signal })],
    ['a move there', (port: ReturnType<typeof openGuarded>) => port.move('t/f', 'd/g', { signal })],
    ['a removal', (port: ReturnType<typeof openGuarded>) => port.remove('d/f')],
    ['a new link', (port: ReturnType<typeof openGuarded>) => port.makeLink('d/l', 'f')],
    ['a mode', (port: ReturnType<typeof openGuarded>) => port.setMode('d/f', 0o777)],
    ['a new directory', (port: ReturnType<typeof openGuarded>) => port.makeDir('d/new')],
    ['a shared file', (port: ReturnType<typeof openGuarded>) => port.share('d/g', 't/f', { signal, how: 'hardlink' })],
    ['a new tree', (port: ReturnType<typeof openGuarded>) => port.copyTree('t', 'd/new', { signal, keepMetadata: true })],
    ['a removed tree', (port: ReturnType<typeof openGuarded>) => port.removeTree('d/empty', { signal })],
    ['a merged link', (port: ReturnType<typeof openGuarded>) => port.copyTree('links', 'd', { signal, keepMetadata: true })],
  ])('is noticed by %s even after everything was opened', async (_, call) => {
    using stage = scene([{ file: 'd/f' }, { file: 'd/g' }, { dir: 'd/empty' }, { file: 't/f' }, { dir: 'links' }]);
    symlinkSync('f', join(stage.root, 'links/l'));
    const outcome = await failure(call(openGuarded(stage.root, { before: (_: Change) => stage.swap('d')() })));
    expect(outcome).toBe('PathTraversalException');
    expect(readdirSync(stage.outside).sort()).toEqual(['f', 'secret.txt']);
    expect(readdirSync(join(stage.root, 'd-away')).sort()).toEqual(['empty', 'f', 'g']);
    expect(readFileSync(join(stage.root, 'd-away/f'), 'utf8')).toBe('inside');
  });

  test('is noticed before a tree is moved to where it is kept', async () => {
    using stage = scene([{ file: 'd/x/f' }]);
    const before = (change: Change) => {
      stage.swap('d')();
      if (change.kind === 'delete_tree') change.keepAt(join(stage.root, 'kept'));
    };
    expect(await failure(openGuarded(stage.root, { before }).removeTree('d/x', { signal }))).toBe('PathTraversalException');
    expect(readdirSync(stage.root).sort()).toEqual(['d', 'd-away']);
    expect(readFileSync(join(stage.root, 'd-away/x/f'), 'utf8')).toBe('inside');
  });
});

/** Files inside that hold what was outside; links are not looked through. */
const copiesOfSecrets = (root: string): string[] =>
  readdirSync(root).flatMap((name) => {
    const path = join(root, name);
    const stats = lstatSync(path);
    if (stats.isDirectory()) return copiesOfSecrets(path);
    return stats.isFile() && /secret|outside/.test(readFileSync(path, 'utf8')) ? [path] : [];
  });
