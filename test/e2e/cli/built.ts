import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const STAGES = resolve('node_modules/.factotum-e2e');
/** What the manifest packs beside what is built. */
const filesOf = (path: string): string[] => {
  const { files }: { readonly files: readonly string[] } = JSON.parse(readFileSync(path, 'utf8'));
  return files.filter((file) => !file.includes('dist'));
};

const COPIED: readonly string[] = ['package.json', ...filesOf('package.json')];

const fingerprint = (): string => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => !file.endsWith('.test.ts'));
  const hash = createHash('sha256');
  for (const path of [...sources.map((file) => join('src', file)).sort(), 'scripts/build.mjs', 'package.json', 'schema']) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
};

const build = (stage: string) => {
  mkdirSync(STAGES, { recursive: true });
  const work = mkdtempSync(join(STAGES, 'work-'));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', '--no-types', '--out', join(work, 'dist')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The build failed: ${stderr}`);
  for (const name of COPIED) if (existsSync(name)) cpSync(name, join(work, name), { recursive: true });
  dropOld();
  try {
    renameSync(work, stage);
  } catch {
    rmSync(work, { recursive: true }); // another test file was faster
  }
};

const HOUR_MS = 3_600_000;

/** Other test files build and tidy up at the same time, so what is listed may be gone. */
const dropOld = () => {
  for (const name of readdirSync(STAGES)) {
    const path = join(STAGES, name);
    const madeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeMs > HOUR_MS) rmSync(path, { recursive: true, force: true });
  }
};

const stage = join(STAGES, fingerprint());
if (!existsSync(stage)) build(stage);

/** A folder that looks like the published package, built from the sources as they are now; all test files share one build. */
export const builtPackage: string = stage;

/** How a process ended and what it wrote. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly bin?: string;
}

/** Nothing of the surrounding shell changes what is printed. */
const { NODE_EXTRA_CA_CERTS: _certificates, NO_COLOR: _noColor, FORCE_COLOR: _forceColor, ...surroundings } = process.env;
const foreign = Object.entries(surroundings).filter(([name]) => !name.startsWith('FACTOTUM_'));
const PLAIN_ENV = { ...Object.fromEntries(foreign), LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };

/** Where the command lies in a package. */
export const binOf = (folder: string): string => join(folder, 'dist', 'bin', 'factotum.cjs');

/** Runs the built `factotum` to its end. */
export const factotum = (
  args: readonly string[],
  { cwd = '/', input = '', env = {}, bin = binOf(builtPackage) }: RunOptions = {},
): Ended => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    input,
    env: { ...PLAIN_ENV, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, out: stdout, err: stderr };
};

/** Starts the built `factotum` and leaves it running. */
export const startFactotum = (args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) =>
  spawn(process.execPath, [binOf(builtPackage), ...args], { cwd, env: { ...PLAIN_ENV, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });

/** The JSON on standard output. */
export const answerOf = <T>({ out }: Ended): T => JSON.parse(out);

/** The value of a key of the package's manifest. */
export const manifest: {
  readonly version: string;
  readonly man: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync('package.json', 'utf8'));
