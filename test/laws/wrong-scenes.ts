import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { createInstance } from '../../src/app/create.ts';
import type { Example } from '../../src/core/example.ts';
import type { Ready } from '../../src/core/ready.ts';
import type { Outcome } from '../../src/core/result.ts';

// Every way in which what an argument names can be something else than an action hopes for.

/** Spoils what stands at a path below a directory; gives the path to name instead, where it is another one. */
type Spoil = (directory: string, path: string) => string | undefined;

const clear = (target: string): void => {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
};

export const SCENES: Readonly<Record<string, Spoil>> = {
  missing: (at, path) => void rmSync(join(at, path), { recursive: true, force: true }),
  'a directory': (at, path) => {
    clear(join(at, path));
    mkdirSync(join(at, path));
    writeFileSync(join(at, path, 'inner'), 'x');
    return undefined;
  },
  'a file': (at, path) => {
    clear(join(at, path));
    writeFileSync(join(at, path), 'x');
    return undefined;
  },
  'closed itself': (at, path) => void chmodSync(join(at, path), 0),
  'in a closed directory': (at, path) => {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    chmodSync(dirname(join(at, path)), 0);
    return undefined;
  },
  'in a directory that cannot be written': (at, path) => {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    chmodSync(dirname(join(at, path)), 0o555);
    return undefined;
  },
  'a link to nothing': (at, path) => {
    clear(join(at, path));
    symlinkSync(join(at, 'nowhere', 'x'), join(at, path));
    return undefined;
  },
  'a link to itself': (at, path) => {
    clear(join(at, path));
    symlinkSync(join(at, path), join(at, path));
    return undefined;
  },
  'below what is missing': (_, path) => `new/new/${basename(path)}`,
  'below a file': (at, path) => {
    writeFileSync(join(at, 'plain-file'), 'x');
    return `plain-file/${basename(path)}`;
  },
  'below a link to nothing': (at, path) => {
    symlinkSync(join(at, 'nowhere'), join(at, 'loose'));
    return `loose/${basename(path)}`;
  },
  'too long': () => 'x'.repeat(300),
};

/** An argument that names something on the disk, and the example it is tried with. */
export interface Tried {
  readonly name: string;
  readonly argument: string;
  readonly example: Example;
  readonly path: string;
}

export const triedOf = ({ about, action }: Ready): readonly Tried[] => {
  const isMonitor = about.name.startsWith('FA_integrity_'); // needs nobody while no sinks are named
  if ((about.effects.includes('network') && !isMonitor) || about.name !== action.name) return [];
  return Object.entries(action.args).flatMap(([argument, { roles }]) => {
    if (!roles.some((role) => /^(?:reads|writes|removes)/.test(role))) return [];
    const example = action.examples.find(({ args, fails }) => fails === undefined && isPath(pathIn(args[argument])));
    const path = pathIn(example?.args[argument]);
    return example !== undefined && isPath(path) ? [{ name: about.name, argument, example, path }] : [];
  });
};

const pathIn = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const isPath = (value: unknown): value is string => typeof value === 'string' && !isAbsolute(value) && value !== '.';

/** Sets the scene of an example once; every case works on a copy. */
export const setScene = async (directory: string, { files = {}, dirs = [], links = {}, after = [] }: Example): Promise<void> => {
  mkdirSync(directory);
  for (const path of dirs) mkdirSync(join(directory, path), { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(directory, path));
  if (after.length === 0) return;
  await using factotum = createInstance({ cwd: directory, log: { level: 'error', write: () => {} } });
  await factotum.run(after);
};

/** What became of a case when it was planned and when it was run; undefined where the scene makes no sense for it. */
export const planAndRun = async (
  { name, argument, example, path }: Tried,
  spoil: Spoil,
  { template, directory }: { readonly template: string; readonly directory: string },
): Promise<readonly [Outcome | undefined, Outcome | undefined] | undefined> => {
  cpSync(template, directory, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  try {
    if (spoil === SCENES['closed itself'] && lstatSync(join(directory, path), { throwIfNoEntry: false }) === undefined) return undefined;
    const named = spoil(directory, path) ?? path;
    const given = example.args[argument];
    const args = { ...example.args, [argument]: Array.isArray(given) ? [named, ...given.slice(1)] : named };
    await using factotum = createInstance({ cwd: directory, log: { level: 'error', write: () => {} } });
    const dry = await factotum.run({ actions: [[name, args]], dry_run: true });
    const real = await factotum.run({ actions: [[name, args]] });
    return [dry.results[0], real.results[0]];
  } finally {
    reopen(directory);
    rmSync(directory, { recursive: true, force: true });
  }
};

const reopen = (path: string): void => {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined || there.isSymbolicLink()) return;
  if ((there.mode & 0o700) !== 0o700) chmodSync(path, 0o700);
  if (there.isDirectory()) for (const name of readdirSync(path)) reopen(join(path, name));
};
