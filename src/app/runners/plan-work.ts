import type { Masker } from '../../access/mask.ts';
import { overSeconds } from '../../core/quota.ts';
import type { Ready } from '../../core/ready.ts';
import type { ErrorRecord, Note, Outcome, RunResult } from '../../core/result.ts';
import { packFault, unpackFault } from '../../lib/workers/messages.ts';
import { openDeadline } from '../../pipeline/command/perform.ts';
import type { ListStart } from '../../pipeline/list/run-list.ts';
import type { Usage } from '../../pipeline/usage.ts';
import { type OrderedWork, pathsOf } from './command-work.ts';
import type { RunnerThread } from './runner-thread.ts';

export interface PlanWorkParts {
  readonly id: number;
  readonly start: ListStart;
  readonly isLimited: boolean;
  /** Hands the list over. */
  order(thread: RunnerThread): void;
  done(result: RunResult): void;
  fail(fault: unknown): void;
}

const LATE_S = 1;

/** A list on its way through a thread that plans it. */
export const createPlanWork = ({ id, start, isLimited, order, done, fail }: PlanWorkParts): OrderedWork => {
  const { run, signal, job } = start;
  const { house } = run;
  const { maxSeconds } = job;
  // The thread keeps to the time of the list by itself, unless it waits for a device.
  const deadline = maxSeconds > 0 ? openDeadline(signal, maxSeconds + LATE_S, () => overSeconds(maxSeconds)) : undefined;
  const outer = deadline?.signal ?? signal;
  return {
    id,
    action: 'Planning',
    run: { id: run.id, caller: run.caller.name, isLimited },
    isHeavy: true, // it may be as long as a list can be
    signal: outer,
    paths: () =>
      job.commands.flatMap(({ name, given }) => {
        const ready = house.registry.resolve(name ?? '');
        return ready === undefined || given === undefined || Array.isArray(given) ? [] : pathsOf(ready, { ...given }, house.cwd);
      }),
    begin: order,
    abort: (thread) => thread.send({ kind: 'abort', id, fault: packFault(outer.reason) }),
    fail(fault) {
      deadline?.close();
      fail(fault);
    },
    onMessage(message) {
      switch (message.kind) {
        case 'tell': {
          const { telling } = message;
          if (telling.what === 'log') house.log(telling.level, telling.message, telling.fields);
          if (telling.what === 'planned') (house.planLog ?? house.log)('info', telling.message, telling.fields);
          return false;
        }
        case 'done':
          deadline?.close();
          count(run.usage, message.value);
          done(maskedResult(message.value as RunResult, house.masker)); // as `runList` gave it there
          return true;
        case 'failed':
          deadline?.close();
          fail(unpackFault(message.fault));
          return true;
        default:
          return false;
      }
    },
  };
};

/** What was planned there counts as if it had been planned here. */
const count = (usage: Usage, result: unknown): void => {
  const { results } = result as RunResult; // as above
  for (const _ of results) usage.takeCommand();
  const bytes = usage.sizeOf(result);
  if (bytes !== undefined) usage.takeEntry(bytes);
};

/** Whether a list can be planned where only built-in actions are known that need files alone. */
export const canPlanApart = ({ job, run, parent }: ListStart): boolean => {
  if (parent !== undefined || run.usage.over !== undefined) return false;
  const { registry } = run.house;
  const { acl, policy } = run.caller;
  if (policy !== undefined && policy.form === undefined) return false;
  const areApart = job.commands.every(({ name, fault }) => {
    const ready = fault === undefined && name !== null ? registry.resolve(name) : undefined;
    return ready !== undefined && ready.about.isApart === true && !(acl !== undefined && runsOthers(ready));
  });
  // What a variable holds has to be known here, so that it is masked.
  return areApart && !JSON.stringify(job.commands.map(({ given }) => given ?? null)).includes('${env:');
};

/** Their nested commands would have to be judged by the caller's access list, which stays here. */
const NESTING = new Set(['dedup', 'sync']);
const runsOthers = ({ about }: Ready): boolean => NESTING.has(about.family);

/** Secrets are known here alone. */
const maskedResult = (result: RunResult, masker: Masker): RunResult => ({
  ...result,
  results: result.results.map((each) => masked(each, masker)),
});

const masked = (outcome: Outcome, masker: Masker): Outcome => {
  const { error, notes, plan } = outcome;
  if (error === undefined && notes === undefined && plan?.steps === undefined) return outcome;
  return {
    ...outcome,
    ...(error && {
      error: { ...error, message: masker.text(error.message), context: masker.known(error.context) as ErrorRecord['context'] },
    }), // masking keeps the shape
    ...(notes && { notes: masker.known(notes) as readonly Note[] }), // as above
    ...(plan?.steps && { plan: { ...plan, steps: maskedSteps(plan.steps, masker) } }),
  };
};

const maskedSteps = (steps: RunResult | readonly RunResult[], masker: Masker): RunResult | readonly RunResult[] =>
  'results' in steps ? maskedResult(steps, masker) : steps.map((each) => maskedResult(each, masker));
