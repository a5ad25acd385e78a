import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { OWNER } from '../../../src/access/caller.ts';
import { createWriteAhead } from '../../../src/files/journal/write-ahead.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { createUndo } from '../../../src/services/undo/undo.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { bundle } from '../files/bundle.ts';
import { look } from './look.ts';
import { undoParts } from './recorded-house.ts';

const LONGEST_RUN_MS = 150;
const LONGEST_UNDO_MS = 60;
const TREE = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`w/tree/${at % 3}/${at}`, `${at}`.repeat(2000)]));
const SYNCED = { 'w/synced/0/0': 'mine', 'w/synced/0/3': 'mine', 'w/synced/extra': 'x', 'w/synced/gone/deep': 'x' };
const FILES = { 'w/old': 'old', 'w/here': 'h', 'w/there': 't', 'w/merged/0/0': 'mine', ...SYNCED, ...TREE };

/** Kills a child at a random moment of its work, or of what comes after a file is there. */
const killChild = async (script: string, words: readonly string[], longestMs: number, after?: string): Promise<void> => {
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.on('data', (text) => complaints.push(String(text)));
  const exit = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exit]);
  while (after !== undefined && child.exitCode === null && !existsSync(after)) await pause(1);
  await pause(Math.random() * longestMs);
  child.kill('SIGKILL');
  await exit;
  expect(complaints.join('')).toBe('');
};

const RUN_ID = '0199e2c1-7b1c-7000-8000-000000000000';

/** A one-shot leaves its journal in the spool; what a service had written ahead is taken in by the next one, which knows of the run. */
const KINDS = ['run', 'serve'] as const;
const trial = trialOf('killed-runs-and-undoings');
const KILLS = trial.count / KINDS.length;

const openStore = async (kind: (typeof KINDS)[number], stateDirectory: string) => {
  // Later, so that what the killed process had in its hands counts as free.
  const store = embeddedStore({ file: storeFileIn(stateDirectory), now: () => Date.now() + 3_600_000 });
  if (kind === 'run') return store;
  await createWriteAhead({ stateDirectory, store: store.undo.append }).takeIn();
  const isChanged = (await store.undo.list(RUN_ID)).length > 0;
  const facts = { runId: RUN_ID, source: 'http', caller: OWNER.name, body: [], startedAt: Date.now(), durationMs: 1 } as const;
  const counts = { ok: 0, failed: 1, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };
  if (isChanged) await store.record({ ...facts, state: 'failed', counts, commands: [] });
  return store;
};

test.each(KINDS)(
  `a %s killed at ${KILLS} random moments, and an undoing killed on top, can be undone`,
  { timeout: 180_000 + KILLS * 20_000 },
  async (kind) => {
    using script = await bundle(new URL('./busy-child.ts', import.meta.url));
    let undone = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      using dir = tempDir(FILES);
      const before = look(dir.at('w'));
      const firstChange = kill % 2 === 0 ? dir.at('w/created') : undefined;
      await killChild(script.path, [kind, dir.at('w'), dir.at('state'), RUN_ID], LONGEST_RUN_MS, firstChange);

      const store = await openStore(kind, dir.at('state'));
      const undo = createUndo({ store, ...undoParts });
      const [run] = (await store.runs()).items;
      // Killed before its first change, a run has nothing to undo.
      if (run !== undefined && (await store.undo.list(run.runId)).length > 0) {
        await killChild(script.path, ['undo', dir.at('state'), run.runId], LONGEST_UNDO_MS);
        await undo.start();
        const left = (await store.undo.list(run.runId)).filter(({ state }) => state !== 'undone');
        if (left.length > 0) expect(await (await undo.undo(run.runId, OWNER)).finished).toMatchObject({ status: 'ok' });
        undone += 1;
      }
      await undo.close();
      await store.close();
      trial.did();
      expect(look(dir.at('w')).filter((line) => !line.includes('.factotum-'))).toEqual(before); // temporary files are swept later
    }
    expect(undone).toBeGreaterThan(0);
  },
);
