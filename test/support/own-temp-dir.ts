// Run before every test file: its temporary files and its home are its own, and both must be empty when it ends.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { RUN_DIRECTORY, SHARED, SHARES_PROCESS } from './own-directories.ts';

const run = process.env[RUN_DIRECTORY] ?? '';
/** Those that take turns in a process have the same one after each other: what lives as long as a process may remember it. */
const isShared = process.env[SHARES_PROCESS] === 'yes';
const name = basename(expect.getState().testPath ?? 'file', '.test.ts').slice(0, 12);
const own = isShared ? join(run, `${SHARED}${process.pid}`) : mkdtempSync(join(run, `${name}-`));
const temp = join(own, 'tmp');
const home = join(own, 'home');
mkdirSync(own, { recursive: true });
chmodSync(own, 0o711);
mkdirSync(temp, { mode: 0o711, recursive: true });
mkdirSync(home, { recursive: true });
process.env.TMPDIR = temp;
process.env.HOME = home;
// What tests start keeps its state and its caches here and looks for its configuration here; nothing of that is found by another file.
process.env.XDG_CACHE_HOME = join(own, 'cache');
process.env.XDG_STATE_HOME = join(own, 'state');
process.env.XDG_CONFIG_HOME = join(own, 'config');

/** In which the product writes down where it works (`write-records.ts`); it goes when the process ends, which this one has not yet. */
const RECORDS = /^\.factotum-writers-\d+-[0-9a-f]{32}$/;
/** What the next file in this process would find. */
const lookAtProcess = () => ({
  variables: { ...process.env },
  directory: process.cwd(),
  umask: process.umask(),
  user: process.geteuid?.(),
});
const before = lookAtProcess();

afterAll(() => {
  const left = {
    temp: readdirSync(temp).filter((name) => !RECORDS.test(name)),
    home: readdirSync(home, { recursive: true, encoding: 'utf8' }),
  };
  const gone = isShared ? [...left.temp.map((name) => join(temp, name)), ...readdirSync(home).map((name) => join(home, name))] : [own];
  for (const path of [...gone, ...['cache', 'state', 'config'].map((each) => join(own, each))])
    rmSync(path, { recursive: true, force: true });
  expect(left, 'what this file left in TMPDIR and HOME; its tests should remove what they make').toEqual({ temp: [], home: [] });
  if (isShared) expect(lookAtProcess(), 'the process as this file found it; its tests should put back what they change').toEqual(before);
});
