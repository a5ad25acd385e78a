import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { OWNER } from '../../../src/access/caller.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { createUndo } from '../../../src/services/undo/undo.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bundle } from '../files/bundle.ts';
import { look } from './look.ts';
import { undoParts } from './recorded-house.ts';

const KILLS = 12;
const LONGEST_RUN_MS = 90;
const LONGEST_UNDO_MS = 60;
const TREE = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`w/tree/${at % 3}/${at}`, `${at}`.repeat(2000)]));
const FILES = { 'w/old': 'old', 'w/here': 'h', 'w/there': 't', 'w/merged/0/0': 'mine', ...TREE };

/** Kills a child at a random moment of its work. */
const killChild = async (script: string, words: readonly string[], longestMs: number): Promise<void> => {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.on('data', (text) => complaints.push(String(text)));
  const exit = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exit]);
  await pause(Math.random() * longestMs);
  child.kill('SIGKILL');
  await exit;
  expect(complaints.join('')).toBe('');
};

test(`a run killed at ${KILLS} random moments, and an undoing killed on top, can be undone`, { timeout: 240_000 }, async () => {
  using script = await bundle(new URL('./busy-child.ts', import.meta.url));
  let undone = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    using dir = tempDir(FILES);
    const before = look(dir.at('w'));
    await killChild(script.path, ['run', dir.at('w'), dir.at('state')], LONGEST_RUN_MS);

    // Later, so that what the killed process had in its hands counts as free.
    const store = embeddedStore({ file: storeFileIn(dir.at('state')), now: () => Date.now() + 3_600_000 });
    const undo = createUndo({ store, ...undoParts });
    const [run] = (await store.runs()).items;
    if (run !== undefined) {
      await killChild(script.path, ['undo', dir.at('state'), run.runId], LONGEST_UNDO_MS);
      await undo.start();
      const left = (await store.undo.list(run.runId)).filter(({ state }) => state !== 'undone');
      if (left.length > 0) expect(await (await undo.undo(run.runId, OWNER)).finished).toMatchObject({ status: 'ok' });
      undone += 1;
    }
    await undo.close();
    await store.close();
    expect(look(dir.at('w')).filter((line) => !line.includes('.factotum-'))).toEqual(before); // temporary files are swept later
  }
  expect(undone).toBeGreaterThan(0);
});
