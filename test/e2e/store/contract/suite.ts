import { describe } from 'vitest';
import type { ClaimRef, Submission } from '../../../../src/services/engine/port/engine.ts';
import type { FinishedRun } from '../../../../src/services/engine/port/runs.ts';
import type { Store } from '../../../../src/services/engine/port.ts';
import { claimsContract } from './claims.ts';
import { historyContract } from './history.ts';
import { keptContract } from './kept.ts';
import { servicesContract } from './services.ts';
import { shelvesContract } from './shelves.ts';
import { submitContract } from './submit.ts';

/** An adapter as the suite sees it: a fresh, empty store on a clock that only the test moves. */
export interface Adapter {
  readonly name: string;
  open(now: () => number): Store;
}

/** A clock that stands still until it is moved. */
export interface TestClock {
  readonly now: () => number;
  pass(ms: number): void;
}

export type Setup = () => { readonly store: Store; readonly clock: TestClock };

/** What every store owes, whatever lies beneath. */
export const storeContract = ({ name, open }: Adapter): void => {
  const setup: Setup = () => {
    let at = 1_700_000_000_000;
    const now = () => at;
    const pass = (ms: number) => {
      at += ms;
    };
    return { store: open(now), clock: { now, pass } };
  };
  describe(`${name} keeps the contract of stores`, () => {
    submitContract(setup);
    keptContract(setup);
    claimsContract(setup);
    historyContract(setup);
    shelvesContract(setup);
    servicesContract(setup);
  });
};

export const counts = { ok: 1, failed: 0, skipped: 0, planned: 0, reused: 0, cancelled: 0, indeterminate: 0 };

export const list = (text = 'x') => [['FA_create_file', { file_path: text }]];

export const submission = (more: Partial<Submission> = {}): Submission => ({ source: 'queue', caller: 'owner', body: list(), ...more });

export const ended = (claim: ClaimRef) => ({
  runId: claim.runId,
  attempt: claim.attempt,
  fence: claim.fence,
  end: 'ok' as const,
  counts,
  durationMs: 1.5,
});

export const finished = (runId: string, more: Partial<FinishedRun> = {}): FinishedRun => ({
  runId,
  source: 'cli',
  caller: 'owner',
  body: list(),
  state: 'ok',
  startedAt: 1_700_000_000_000,
  durationMs: 2.5,
  counts,
  commands: [{ index: 0, action: 'FA_create_file', state: 'ok', value: true }],
  ...more,
});
