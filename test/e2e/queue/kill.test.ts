import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openConnection } from '../../../src/services/engine/driver.ts';
import { storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { bundleScripts, startChild } from '../store/children.ts';
import { integrityOf } from '../store/integrity.ts';

const trial = trialOf('killed-queue');
const ROUNDS = trial.count;
/** Lives are measured by what was done in them, so that they are as full on a busy machine. */
const MOST_LINES = 40;
const LONGEST_REST_MS = 5;

/** The state of every run. */
const statesIn = (file: string): ReadonlyMap<string, string> => {
  const db = openConnection(file);
  try {
    return new Map(db.all<{ run_id: string; state: string }>('SELECT run_id, state FROM run').map((row) => [row.run_id, row.state]));
  } finally {
    db.close();
  }
};

test(`${ROUNDS} kills lose nothing acknowledged and repeat no command that may not be`, { timeout: ROUNDS * 20_000 }, async () => {
  using scripts = await bundleScripts('../queue/queue-child.ts');
  using dir = tempDir({ effects: '' });
  const args = [dir.at('state'), dir.at('effects'), scripts.writer.href] as const;
  const said = { S: new Set<string>(), D: new Set<string>(), R: new Set<string>() };
  const listen = (lines: readonly string[]) => {
    for (const line of lines) said[line[0] as keyof typeof said]?.add(line.slice(2)); // other first letters have no set
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = startChild(scripts.child, ...args);
    await child.started;
    await child.said(1 + Math.floor(Math.random() * MOST_LINES));
    await setTimeout(Math.random() * LONGEST_REST_MS);
    child.process.kill('SIGKILL');
    await child.ended;
    listen(child.lines);
    trial.did();
  }
  const last = startChild(scripts.child, ...args, 'drain');
  await last.ended;
  listen(last.lines);

  const file = storeFileIn(dir.at('state'));
  const states = statesIn(file);
  expect([...said.S].filter((runId) => !['ok', 'indeterminate'].includes(states.get(runId) ?? ''))).toEqual([]);
  expect([...said.D, ...said.R].filter((runId) => states.get(runId) !== 'ok')).toEqual([]);
  const effects = readFileSync(dir.at('effects'), 'utf8').trimEnd().split('\n');
  const unrepeatable = effects.filter((line) => line.startsWith('once '));
  expect(unrepeatable.length).toBe(new Set(unrepeatable).size);
  const left = new Set(effects);
  const done = [...states].filter(([runId, state]) => state === 'ok' && !said.R.has(runId) && said.S.has(runId));
  const missing = done.filter(([runId]) =>
    ['once', 'again', 'once'].some((kind, at) => !left.has(`${kind} ${runId} ${at === 2 ? 'second' : 'first'}`)),
  );
  expect(missing).toEqual([]);
  expect(integrityOf(file)).toBe('ok');
  // Otherwise nothing was put to the test.
  expect(said.D.size).toBeGreaterThan(ROUNDS);
  expect(said.R.size).toBeGreaterThan(ROUNDS / 2);
  expect([...states.values()].filter((state) => state === 'indeterminate').length).toBeGreaterThan(0);
});
