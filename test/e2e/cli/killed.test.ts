import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/core/result.ts';
import { ownDirectoryName } from '../../../src/lib/fs/own-names.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { look } from '../undo/look.ts';
import { answerOf, factotum, startFactotum } from './built.ts';

const SPOOL = ownDirectoryName('spool');
const KILLS = 24;
const ROUNDS = 12;

/** Creates, replaces, moves and deletes, again and again. */
const LIST = Array.from({ length: ROUNDS }, (_, at) => [
  ['FA_create_file', { file_path: `new/${at}`, content: `${at}` }],
  ['FA_create_file', { file_path: 'old', content: `replaced ${at}` }],
  ['FA_copy_dir', { dir_path: 'tree', target_dir_path: `grown-${at}` }],
  ['FA_create_file', { file_path: `grown-${at}/1`, content: 'changed in the new tree' }],
  ['FA_move_file', { file_path: `new/${at}`, target_path: `moved/${at}` }],
  ['FA_remove_file', { file_path: `some/${at}` }],
]).flat();
const TREE = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`w/tree/${at}`, `${at}`.repeat(1_000)]));
const SOME = Object.fromEntries(Array.from({ length: ROUNDS }, (_, at) => [`w/some/${at}`, `${at}`]));
const FILES = { 'w/old': 'old', 'w/moved/mine': 'm', 'w/new/mine': 'n', 'list.json': JSON.stringify(LIST), ...TREE, ...SOME };

interface Shown {
  readonly run_id: string;
  readonly state: string;
  readonly error: { readonly type: string } | null;
}

const openRoom = () => {
  const dir = tempDir(FILES);
  const env = { XDG_STATE_HOME: dir.at('state') };
  const spool = dir.at(`state/factotum/${SPOOL}`);
  const journals = () => (existsSync(spool) ? readdirSync(spool).map((name) => dir.read(`state/factotum/${SPOOL}/${name}`) ?? '') : []);
  const ask = (...words: string[]) => factotum(words, { cwd: dir.at('w'), env });
  return {
    dir,
    ask,
    runs: () => answerOf<Shown[]>(ask('runs', '--json')),
    /** Runs the list and kills its process some time after so many lines are in its journal, or none but the file. */
    async kill(afterMs: number, leastLines = 0): Promise<void> {
      const child = startFactotum(['run', '../list.json', '--quiet'], dir.at('w'), env);
      const exit = once(child, 'exit');
      while (child.exitCode === null && !journals().some((journal) => journal.split('\n').length > leastLines)) await pause(1);
      await pause(afterMs);
      child.kill('SIGKILL');
      await exit;
    },
    [Symbol.dispose]: dir[Symbol.dispose],
  };
};

test(`a list killed at ${KILLS} random moments is in the history, as interrupted or whole, and can be taken back`, {
  timeout: 180_000,
}, async () => {
  using whole = openRoom();
  let { duration_ms: durationMs } = answerOf<{ duration_ms: number }>(whole.ask('run', '../list.json', '--json'));
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    using room = openRoom();
    const before = look(room.dir.at('w'));
    const afterMs = Math.random() * durationMs;
    await room.kill(afterMs);
    const changed = look(room.dir.at('w'));
    const [run, ...others] = room.runs();
    expect(others).toEqual([]);
    if (run === undefined) {
      expect(changed.filter(isNoPart), `killed after ${afterMs} ms, before its first command`).toEqual(before);
      continue;
    }
    if (run.state === 'ok') {
      durationMs = afterMs; // the machine has become faster since the first time
    } else {
      interrupted += 1;
      expect(run, `killed after ${afterMs} ms`).toMatchObject({ state: 'failed', error: { type: 'CancelledException' } });
    }
    const undone = room.ask('undo', run.run_id);
    if (undone.code !== 0) {
      expect(undone.err, `killed after ${afterMs} ms: ${undone.out}`).toContain('has nothing to undo');
      expect(changed.filter(isNoPart)).toEqual(before);
    }
    expect(look(room.dir.at('w')).filter(isNoPart), `killed after ${afterMs} ms`).toEqual(before);
  }
  expect(interrupted).toBeGreaterThan(0);
});

/** Temporary files of a process that was killed are swept later. */
const isNoPart = (line: string): boolean => !line.includes('.factotum-');

test('an interrupted run is resumed only from a command that somebody names', async () => {
  using room = openRoom();
  await room.kill(0, 2); // the second line tells what runs
  const [run] = room.runs();
  if (run?.state === 'ok') return; // the process was faster
  expect(room.ask('runs', 'resume', run?.run_id ?? '')).toMatchObject({ code: 1, err: expect.stringContaining('how far it came') });
  const last = LIST.length - 1;
  const resumed = answerOf<RunResult>(room.ask('runs', 'resume', run?.run_id ?? '', '--from', String(last), '--json'));
  expect(resumed.counts).toMatchObject({ skipped: last });
});
