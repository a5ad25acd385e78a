import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openConnection } from '../../../src/services/engine/driver.ts';
import { storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { patience } from '../../support/torture.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { bundleScripts, startChild } from './children.ts';
import { integrityOf } from './integrity.ts';

/** Its writer works in a thread of its own, or in the main one. */
const KINDS = 2;
const trial = trialOf('killed-stores');
const KILLS = trial.count / KINDS;
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

describe.each([
  ['in its thread', true],
  ['in the main thread', false],
])('a store whose writer works %s', (_, hasThread) => {
  test(`survives ${KILLS} kills: nothing acknowledged is lost, no effect is repeated`, patience(240_000), async () => {
    using scripts = await bundleScripts('./busy-child.ts');
    using dir = tempDir({ effects: '' });
    const file = storeFileIn(dir.at('state'));
    const submitted = new Set<string>();
    const settled = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = startChild(scripts.child, dir.at('state'), dir.at('effects'), ...(hasThread ? [scripts.writer.href] : []));
      await child.started;
      await child.said(1 + Math.floor(Math.random() * MOST_LINES));
      await setTimeout(Math.random() * LONGEST_REST_MS);
      child.process.kill('SIGKILL');
      trial.did();
      await child.ended;
      for (const line of child.lines) (line.startsWith('S ') ? submitted : settled).add(line.slice(2));
    }
    const states = statesIn(file);
    expect([...submitted].filter((runId) => !states.has(runId))).toEqual([]);
    expect([...settled].filter((runId) => states.get(runId) !== 'ok')).toEqual([]);
    const effects = readFileSync(dir.at('effects'), 'utf8').trimEnd().split('\n');
    expect(effects.length).toBe(new Set(effects).size);
    expect(effects.length).toBeGreaterThanOrEqual(settled.size);
    expect(integrityOf(file)).toBe('ok');
    // Otherwise nothing was put to the test.
    expect(submitted.size).toBeGreaterThan(KILLS);
    expect(settled.size).toBeGreaterThan(0);
  });
});
