// What recording costs runs that change whole trees, for information: with store, history and undo journal beside none of them. In memory
// where there is some: a disk that is behind would hide everything else.
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportPairs } from './measure/pairs.mjs';
import { inTurns, withBoth } from './measure/recorded.mjs';

const TURNS = { rounds: 3, warmUp: 1 };
const FILES = 20_000;
const FILES_A_FOLDER = 50;
const MEMORY = '/dev/shm';

export const run = (report) =>
  withBoth(existsSync(MEMORY) ? MEMORY : tmpdir(), async ({ place, ...houses }) => {
    const source = makeTree(join(place, 'tree'), 'one');
    const other = makeTree(join(place, 'other'), 'two!');
    const fresh = (name) => {
      const tree = join(place, name);
      cpSync(other, tree, { recursive: true, preserveTimestamps: true });
      return tree;
    };
    const works = {
      'copy-dir': (turn) => [['FA_copy_dir', [source, join(place, `copied-${turn}`)]]],
      'copy-dir-onto': (turn) => [['FA_copy_dir', [source, fresh(`merged-${turn}`)]]],
      'sync-dir': (turn) => [['FA_sync_dir', { src: source, dst: fresh(`synced-${turn}`), max_listed: 0 }]],
      'remove-dir-tree': (turn) => [['FA_remove_dir_tree', [fresh(`removed-${turn}`)]]],
    };
    for (const [name, listOf] of Object.entries(works))
      reportPairs(report, `record-trees/${name}`, undefined, await inTurns(TURNS, houses, listOf));
  });

const makeTree = (root, content) => {
  for (let at = 0; at < FILES; at += 1) {
    const folder = join(root, `${Math.floor(at / FILES_A_FOLDER)}`);
    if (at % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${at}`), content);
  }
  return root;
};
