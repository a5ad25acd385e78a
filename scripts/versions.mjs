// npm run versions [-- [--app DIR] WHICH…]: installs the packed package and tries it on versions of Node: `22.18.0`, `own` (the one that
// runs this), `today` (one of all by turns) or, by default, all: the first, a middle and the last release of every line that package.json
// admits. What cannot be installed is named and counted as skipped. With `--app` the package is taken from where it is installed already.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale, installPackages, root } from './setup.mjs';
import { ofToday, releasesToTry } from './versions/releases.mjs';
import { ATTEMPTED, smoke } from './versions/smoke.mjs';

const platformPackage = `node-${process.platform}-${process.arch}`;
const npm = (...args) => spawnSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The package in an empty project, as `npm install` leaves it there; no install script runs. */
const installPacked = (folder) => {
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"private": true}');
  const packed = npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  if (packed.status !== 0) throw new Error(packed.stderr);
  const [{ filename }] = JSON.parse(packed.stdout);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const installed = npm('install', '--prefix', app, ...flags, join(folder, filename));
  if (installed.status !== 0) throw new Error(installed.stderr);
  return app;
};

/** Undefined where there is no such release for this machine. */
const installNode = (folder, version) => {
  const home = join(folder, `node-${version}`);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { status } = npm('install', '--prefix', home, ...flags, `${platformPackage}@${version}`);
  return status === 0 ? join(home, 'node_modules', platformPackage, 'bin', 'node') : undefined;
};

const available = () => {
  const { status, stdout } = npm('view', platformPackage, 'versions', '--json');
  return status === 0 ? JSON.parse(stdout) : [];
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { app: { type: 'string' } } });
const versions = positionals.length === 0 ? releasesToTry(available()) : positionals;
const folder = mkdtempSync(join(tmpdir(), 'factotum-versions-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
if (values.app === undefined) {
  installPackages();
  buildIfStale();
}
const app = values.app ?? installPacked(folder);
const totals = { passed: 0, failed: 0, skipped: 0 };
for (const word of versions) {
  const version = word === 'own' ? process.versions.node : word === 'today' ? ofToday(releasesToTry(available()), Date.now()) : word;
  const node = word === 'own' ? process.execPath : installNode(folder, version);
  if (node === undefined) {
    totals.skipped += ATTEMPTED.length;
    console.log(`SKIPPED  Node ${version}: ${platformPackage}@${version} cannot be installed here`);
    continue;
  }
  const faults = Object.entries(await smoke({ node, app, dir: mkdtempSync(join(folder, 'room-')) }));
  totals.failed += faults.length;
  totals.passed += ATTEMPTED.length - faults.length;
  console.log(
    `${faults.length === 0 ? 'ok      ' : 'FAILED  '} Node ${version}: ${ATTEMPTED.length - faults.length} of ${ATTEMPTED.length}`,
  );
  for (const [name, message] of faults) console.log(`  ${name}: ${message}`);
  rmSync(join(folder, `node-${version}`), { recursive: true, force: true });
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
