// What both README commands do first on a machine that has only Node: install the packages, build what is stale.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a program in the project folder and stops everything when it fails. */
export const must = (program, args, options = {}) => {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) console.error(`${program} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
};

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Does set-up while no other process of this clone does: two that install at once would take each other's files away. */
export const oneAtATime = async (work) => {
  const lock = await lockClone();
  try {
    work();
  } finally {
    lock.close();
  }
};

/** A listening socket goes with its process, however that ends. */
const lockClone = () =>
  new Promise((resolve, reject) => {
    const name = createHash('sha256').update(root).digest('hex').slice(0, 32);
    const address = { linux: `\0factotum-${name}`, win32: `\\\\.\\pipe\\factotum-${name}` }[process.platform];
    if (address === undefined) return resolve({ close: () => {} }); // other systems have no names that go with their process
    let hasSaid = false;
    const attempt = () => {
      const server = createServer();
      server.once('error', (fault) => {
        if (fault.code !== 'EADDRINUSE') return reject(fault);
        if (!hasSaid) console.error('Another process is setting this clone up; waiting for it…');
        hasSaid = true;
        setTimeout(attempt, 500);
      });
      server.listen(address, () => resolve(server));
    };
    attempt();
  });

/** Installs the locked packages unless they are there already. */
export const installPackages = () => {
  const stamp = join(root, 'node_modules', '.factotum-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing packages (once)…');
  must(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(stamp, wanted);
};

const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (latest, entry) =>
      entry.isFile() && !entry.name.endsWith('.test.ts')
        ? Math.max(latest, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs)
        : latest,
    0,
  );

/** Builds `dist` unless it is newer than every source. */
export const buildIfStale = () => {
  const built = join(root, 'dist', 'index.js');
  const sources = Math.max(
    newest(join(root, 'src')),
    statSync(join(root, 'scripts', 'build.mjs')).mtimeMs,
    statSync(join(root, 'package.json')).mtimeMs,
  );
  if (existsSync(built) && statSync(built).mtimeMs >= sources) return;
  console.error('Building…');
  must(process.execPath, ['scripts/build.mjs']);
};
