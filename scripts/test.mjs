// npm test: does all set-up, then checks everything, cheap steps first. `--fast` is what one runs while editing.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale, installPackages, root } from './setup.mjs';
import { changesByTests, lookAround } from './surroundings.mjs';

const fast = process.argv.includes('--fast');
const NEWEST_LTS = '26.10.0';
const SHOWN_FAILURES = 40;
const SHOWN_FILES = 20;
/** Versions of the OpenTelemetry SDK that spans are exported with: one for Node 20, one for newer ones. Users bring their own. */
const TRACING_SDKS = ['0.223.0', '0.301.0'];
/** Programs that end-to-end tests compare with, and the Debian packages that bring them. */
const PEERS = {
  zip: 'zip',
  unzip: 'unzip',
  '7z': 'p7zip-full',
  xz: 'xz-utils',
  bzip2: 'bzip2',
  zstd: 'zstd',
  patch: 'patch',
  jq: 'jq',
  iconv: 'libc-bin',
  rg: 'ripgrep',
  fdfind: 'fd-find',
  plocate: 'plocate',
  zsh: 'zsh',
  fish: 'fish',
  'trash-list': 'trash-cli',
  script: 'bsdutils',
  jdupes: 'jdupes',
  hashdeep: 'hashdeep',
  rsync: 'rsync',
  chromium: 'chromium',
  curl: 'curl',
  nc: 'netcat-openbsd',
  python3: 'python3',
  aiosmtpd: 'python3-aiosmtpd',
  openssl: 'openssl',
  setfattr: 'attr',
  setfacl: 'acl',
  rclone: 'rclone',
  sshd: 'openssh-server',
  proftpd: 'proftpd-core proftpd-mod-crypto',
  apache2: 'apache2',
  nginx: 'nginx-light libnginx-mod-http-dav-ext',
  smbd: 'samba',
  smbclient: 'smbclient',
  radosgw: 'radosgw ceph-mon ceph-osd ceph-common',
};
/** The peer of Azure Blob. */
const AZURITE = 'azurite@3.37.0';

const has = (program) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin:/sbin command -v ${program}`], { stdio: 'ignore' }).status === 0;

/** Runs a program beside others; what it prints is shown when it has ended. Gives whether it went well. */
const beside = (program, args) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
    child.on('error', (error) => (printed += `${program} could not be started: ${error.message}\n`));
    child.on('close', (code) => {
      process.stderr.write(printed);
      resolve(code === 0);
    });
  });

/** Real peers come from Debian's packages where that is possible; tests of missing ones are skipped loudly. */
const installPeers = async () => {
  const missing = Object.entries(PEERS).filter(([program]) => !has(program));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  if (process.getuid?.() === 0 && has('apt-get')) {
    console.error(`Installing ${packages.join(' ')}…`);
    const install = `apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${packages.join(' ')}`;
    await beside('sh', ['-c', `(${install}) >/dev/null`]);
  }
  const absent = missing.map(([program]) => program).filter((program) => !has(program));
  if (absent.length > 0) console.error(`MISSING: ${absent.join(', ')}; the tests that need them will be skipped.`);
};

const npmInstall = (folder, name) =>
  beside('npm', ['install', '--no-save', '--silent', '--no-audit', '--no-fund', '--prefix', folder, name]);

/** The tests that need a missing SDK are skipped loudly. */
const installTracingSdks = async (folder) => {
  for (const version of TRACING_SDKS) {
    const sdk = `@opentelemetry/sdk-node@${version}`;
    if (!(await npmInstall(join(folder, version), sdk))) console.error(`MISSING: ${sdk}; the tests that need it will be skipped.`);
  }
};

const installAzurite = async () => {
  if (!(await npmInstall(azurite, AZURITE))) console.error(`MISSING: ${AZURITE}; the tests that need it will be skipped.`);
};

const step = async (title, work) => {
  const started = performance.now();
  console.error(`\n== ${title}`);
  const isFine = (await work()) !== false;
  console.error(`== ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (!isFine) throw new Error(`${title} failed.`);
};

const bin = (name) => join(root, 'node_modules', '.bin', name);

const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skipped = new Map();
const files = [];
let failedRuns = 0;

/** Runs the test runner under a Node, adds its counts up and keeps what failed. */
const runTests = (node, args) => {
  const counts = join(work, `counts-${Math.random()}.json`);
  const { status, signal } = spawnSync(node, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FACTOTUM_TEST_COUNTS: counts },
  });
  if (status !== 0) failedRuns += 1;
  if (!existsSync(counts)) {
    failures.push({
      file: '-',
      name: 'the test runner',
      error: `It ended by ${signal ?? `code ${status}`} before it could tell what failed.`,
    });
    totals.failed += 1;
    return;
  }
  const report = JSON.parse(readFileSync(counts, 'utf8'));
  for (const [key, value] of Object.entries(report.counts)) totals[key] += value;
  failures.push(...report.failures);
  files.push(...report.files);
  for (const { file, name, note } of report.skipped) skipped.set(`${file}: ${name}`, note);
};

/** What was not proven here, by name: each needs something that this machine or this user does not have. */
const tellSkipped = () => {
  if (skipped.size === 0) return;
  console.log('\nSkipped:');
  for (const [name, note] of skipped) console.log(`  ${name}${note === undefined ? '' : ` (${note})`}`);
};

/** Where the time went. */
const tellSlowest = () => {
  console.log('\nSlowest files:');
  for (const { file, ms } of files.sort((one, other) => other.ms - one.ms).slice(0, SHOWN_FILES))
    console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
};

/** What failed, once more at the end: of a long output often only the last lines are shown. */
const recall = () => {
  if (failures.length === 0) return;
  console.log(`\nFailed:`);
  for (const { file, name, error } of failures.slice(0, SHOWN_FAILURES)) console.log(`  ${file}: ${name}\n    ${error}`);
  if (failures.length > SHOWN_FAILURES) console.log(`  and ${failures.length - SHOWN_FAILURES} more`);
};

/** Tests touch nothing outside of the clone and their own temporary directory. */
const look = () => lookAround({ home: homedir(), leftOut: [root, tmpdir()] });
const demandUntouched = (first, second) => {
  const changes = changesByTests(first, second, look(), homedir());
  totals.failed += changes.length;
  for (const { path, how } of changes.slice(0, SHOWN_FAILURES))
    failures.push({
      file: '-',
      name: 'what surrounds the tests',
      error: `${path} ${how} while they ran; if another program did that, run again.`,
    });
};

/** One Node and the packages of other people, which are mostly waited for. */
const fetchAll = async () => {
  await step(`Node ${NEWEST_LTS}`, () => npmInstall(join(work, 'lts'), `${nodePackage}@${NEWEST_LTS}`));
  await step('OpenTelemetry', () => installTracingSdks(tracing));
  await step('Azurite', installAzurite);
};

/** What is wrong with the sources is told before any test runs. */
const checkSources = async () => {
  const node = (args) => beside(process.execPath, args);
  await step('generated files are fresh', () => node(['scripts/run-ts.mjs', 'scripts/generate/main.ts', '--check']));
  await step('format and lint', () => beside(bin('biome'), ['check', '--error-on-warnings', '.']));
  await step('types', () => node(['node_modules/typescript-7/bin/tsc', '--noEmit', '-p', 'tsconfig.json']));
  await step('dead exports', () => beside(bin('knip'), []));
  await step('build', buildIfStale);
};

const atFirst = look();
const peers = fast ? undefined : step('programs to compare with', installPeers);
installPackages();
const work = mkdtempSync(join(root, 'node_modules', '.factotum-test-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const nodePackage = `node-${process.platform}-${process.arch}`;
const tracing = join(work, 'tracing');
const azurite = join(work, 'azurite');
// All of them come to their end before anything is told of: a package manager is not interrupted.
const prepared = await Promise.allSettled([checkSources(), ...(fast ? [] : [peers, fetchAll()])]);
const faults = prepared.flatMap(({ reason }) => (reason === undefined ? [] : [reason.message]));
if (faults.length > 0) {
  console.error(`\n${faults.join('\n')}`);
  process.exit(1);
}
const beforeTests = look();
if (fast) await step('tests', () => runTests(process.execPath, ['src', 'test/laws', 'test/pins']));
else {
  const newerNode = join(work, 'lts', 'node_modules', nodePackage, 'bin', 'node');
  process.env.FACTOTUM_TEST_NEWER_NODE = newerNode;
  process.env.FACTOTUM_TEST_TRACING_SDKS = tracing;
  const azuriteBlob = join(azurite, 'node_modules/azurite/dist/src/blob/main.js');
  if (existsSync(azuriteBlob)) process.env.FACTOTUM_TEST_AZURITE = azuriteBlob;
  await step('tests', () => runTests(process.execPath, []));
  // What another Node could change: the units and what users see of every action. Laws on the sources were told the first time.
  process.env.FACTOTUM_TORTURE = 'brief';
  await step(`tests on Node ${NEWEST_LTS}`, () => runTests(newerNode, ['src', 'test/pins', 'test/laws/examples', 'test/laws/plan']));
}
demandUntouched(atFirst, beforeTests);
tellSlowest();
tellSkipped();
recall();
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = failedRuns === 0 && totals.failed === 0 && totals.passed > 0 ? 0 : 1;
