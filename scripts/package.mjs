// npm run package: what other tools say of the packed package: publint, and whether its types fit what is there. Brings the tools itself.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale, installPackages, must, root } from './setup.mjs';

installPackages();
buildIfStale();
const folder = mkdtempSync(join(tmpdir(), 'factotum-package-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
must('npm', [
  'install',
  '--no-save',
  '--silent',
  '--no-audit',
  '--no-fund',
  '--prefix',
  folder,
  'publint@0.3',
  '@arethetypeswrong/cli@0.18',
]);
const { stdout } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: root, encoding: 'utf8' });
const packed = join(folder, JSON.parse(stdout)[0].filename);
const tool = (name) => join(folder, 'node_modules', '.bin', name);
// Of the plugin among the examples it says that `exports` counts only at the top of a package, which a copy of the example is.
must(tool('publint'), [packed, '--level', 'error']);
// Programs in CommonJS reach ES modules by import(); versions of Node before those that are admitted know no subpaths.
must(tool('attw'), [packed, '--profile', 'esm-only']);
