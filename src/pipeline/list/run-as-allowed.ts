import { PlanChangedException, PolicyException } from '../../core/errors.ts';
import { isComplete } from '../../core/outcomes.ts';
import type { Registry } from '../../core/registry.ts';
import type { RunResult } from '../../core/result.ts';
import { summaryOf } from '../plan/summary.ts';
import type { Job, ListRun } from '../run.ts';
import { addCommands, demandApprovable, demandForeseen, isJudgedByPlan, needsApproval, notApproved } from './approval.ts';
import { type ListStart, runList } from './run-list.ts';

/** Runs the checked list of a request; where its caller needs somebody's yes, only with that. */
export const runAsAllowed = (start: ListStart): RunResult | Promise<RunResult> => {
  const { job, run } = start;
  if (needsApproval(job, run.caller, run.house.registry)) return runAsApproved(start);
  return isJudgedByPlan(job, run.caller) ? runIfForeseen(start) : runAsPlanned(start);
};

/** What a plan does not know counts as destructive: a list that only reads is planned first, and needs a yes where that is incomplete. */
const runIfForeseen = async (start: ListStart): Promise<RunResult> => {
  const { job, signal } = start;
  const plan = await runList({ ...start, job: { ...job, dryRun: true }, isRehearsal: !job.dryRun });
  if (!isComplete(plan) && !signal.aborted) return runAsApproved(start);
  return job.dryRun ? plan : runAsPlanned(start);
};

/** Runs a list whose plan was approved; the plan of any other is put up for approval, and nothing runs. */
export const runAsApproved = async (start: ListStart): Promise<RunResult> => {
  const { job, run, signal } = start;
  const { caller, house } = run;
  const approval = { commands: new Set<string>(), isGiven: false };
  addCommands(job, approval.commands);
  run.approval = approval;
  const plan = await runList({ ...start, job: { ...job, dryRun: true }, isRehearsal: !job.dryRun });
  const { plan_hash: planHash = '' } = plan;
  if (job.expectPlan !== undefined && !signal.aborted) demandPlan(job.expectPlan, planHash);
  if (!job.dryRun && !signal.aborted) {
    demandApprovable(plan, house.registry);
    approval.isGiven = job.expectPlan !== undefined && (await house.approvals?.consume(planHash, caller.name)) === true;
  }
  if (approval.isGiven || (signal.aborted && !job.dryRun)) return runList(start);
  const isProposed = !job.dryRun || isApprovable(plan, house.registry);
  if (isProposed) await house.approvals?.propose({ planHash, caller: caller.name, summary: summaryOf(job, plan, house) });
  if (job.dryRun) return plan;
  throw notApproved(planHash, job);
};

const isApprovable = (plan: RunResult, registry: Registry): boolean => {
  try {
    demandApprovable(plan, registry);
    return true;
  } catch (fault) {
    if (fault instanceof PolicyException) return false;
    throw fault;
  }
};

/** What an approved list may run inside is settled when it has been rehearsed: the lists that its plan foresees. */
export const judgeApproval = (job: Job, { run, foresight }: ListRun): void => {
  const { approval, caller, house } = run;
  if (approval?.isGiven === false) addCommands(job, approval.commands);
  else if (foresight === undefined && !job.dryRun && needsApproval(job, caller, house.registry)) demandForeseen(job, approval?.commands);
};

/** Runs a checked list; one that names the plan it was approved for is rehearsed first. A dry run that names one must come to the same. */
export const runAsPlanned = (start: ListStart): RunResult | Promise<RunResult> => {
  const { job, parent } = start;
  const isCompared = job.expectPlan !== undefined && parent?.foresight === undefined;
  return isCompared ? runCompared(start, job.expectPlan) : runList(start);
};

const runCompared = async (start: ListStart, expectPlan: string): Promise<RunResult> => {
  const { job, signal } = start;
  const plan = await runList({ ...start, job: { ...job, dryRun: true }, isRehearsal: !job.dryRun });
  if (!signal.aborted) demandPlan(expectPlan, plan.plan_hash ?? '');
  return job.dryRun ? plan : runList(start);
};

const demandPlan = (expected: string, found: string): void => {
  if (found === expected) return;
  throw new PlanChangedException('What the list would do has changed since it was planned; look at a new plan and approve that one.', {
    context: { expected, found },
  });
};
