// What recording a run costs: a list of copies with store, history and undo journal beside the same list with none of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportPairs } from './measure/pairs.mjs';
import { inTurns, withBoth } from './measure/recorded.mjs';

const TURNS = { rounds: 21, warmUp: 10 };
const COPIES = 100;
const COPY_BYTES = 64 * 1024;

// A disk, not memory: syncs are a part of what a copy costs.
export const run = (report) =>
  withBoth(tmpdir(), async ({ place, ...houses }) => {
    for (let at = 0; at < COPIES; at += 1) writeFileSync(join(place, `from-${at}`), Buffer.alloc(COPY_BYTES, at));
    const listOf = (turn) => {
      mkdirSync(join(place, turn));
      return Array.from({ length: COPIES }, (_, at) => ['FA_copy_file', [`from-${at}`, join(turn, `${at}`)]]);
    };
    reportPairs(report, 'record/100-copies', 1.15, await inTurns(TURNS, houses, listOf));
  });
