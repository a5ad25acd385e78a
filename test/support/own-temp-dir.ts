// Run before every test file: its temporary files and its home are its own, and both must be empty when it ends.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { RUN_DIRECTORY } from './own-directories.ts';

const name = basename(expect.getState().testPath ?? 'file', '.test.ts').slice(0, 12);
const own = mkdtempSync(join(process.env[RUN_DIRECTORY] ?? '', `${name}-`));
const temp = join(own, 'tmp');
const home = join(own, 'home');
chmodSync(own, 0o711);
mkdirSync(temp, { mode: 0o711 });
mkdirSync(home);
process.env.TMPDIR = temp;
process.env.HOME = home;
// What tests start keeps its state and its caches here and looks for its configuration here; nothing of that is found by another file.
process.env.XDG_CACHE_HOME = join(own, 'cache');
process.env.XDG_STATE_HOME = join(own, 'state');
process.env.XDG_CONFIG_HOME = join(own, 'config');

/** In which the product writes down where it works (`write-records.ts`); it goes when the process ends, which this one has not yet. */
const RECORDS = /^\.factotum-writers-\d+-[0-9a-f]{32}$/;

afterAll(() => {
  const left = {
    temp: readdirSync(temp).filter((name) => !RECORDS.test(name)),
    home: readdirSync(home, { recursive: true, encoding: 'utf8' }),
  };
  rmSync(own, { recursive: true, force: true });
  expect(left, 'what this file left in TMPDIR and HOME; its tests should remove what they make').toEqual({ temp: [], home: [] });
});
