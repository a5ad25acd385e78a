import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { ApprovedPlan, History } from '../../app/command-line/history.ts';
import { visible } from '../../lib/json/locate.ts';
import type { Cli } from '../cli.ts';
import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { openHistoryOf } from '../history-option.ts';
import { addExamples, addJsonOption } from '../parser.ts';
import { proposalLines } from '../show/show-proposal.ts';
import { showJson } from '../show/show-run.ts';

interface ApproveFlags {
  readonly hours: number;
  readonly revoke?: true;
  readonly for?: string;
}

const HOUR_MS = 3_600_000;
/** Fewer signs are a slip. */
const SHORTEST_HASH = 4;

const isMeant = (hash: string, begin: string): boolean => hash === begin || (begin.length >= SHORTEST_HASH && hash.startsWith(begin));

/** `factotum approve`. */
export const approve = defineCommand({
  name: 'approve',
  describe(parser, cli) {
    parser
      .description('Says yes to a plan that a token or an assistant may only run when somebody approved it. Without a hash, lists plans.')
      .argument('[plan]', 'The hash of the plan, or as much of its beginning as no other has.')
      .option('--hours <n>', 'How long the approval holds; 1 by default.', hours, 1)
      .option('--for <caller>', 'Who may run it, where several callers wait for the same plan.')
      .option('--revoke', 'Take the approval back instead.');
    addConfigOption(parser);
    addJsonOption(parser, cli, 'Print the plans as JSON.');
    addExamples(parser, [
      ['factotum approve', 'what waits'],
      ['factotum approve HASH --hours 8', 'let it run once, in the next eight hours'],
    ]);
  },
  async run(cli, parser) {
    const [hash] = parser.args;
    await using history = await openHistoryOf(cli, parser);
    return await (hash === undefined
      ? showPlans(cli, history)
      : decide(cli, history, { begin: hash, ...parser.opts<ApproveFlags>() }, parser));
  },
});

const hours = (text: string): number => {
  const amount = Number(text);
  if (!/^\d{1,4}(?:\.\d+)?$/.test(text) || amount === 0) throw new InvalidArgumentError('Give a number of hours above 0.');
  return amount;
};

const decide = async (
  cli: Cli,
  { store }: History,
  { begin, hours: length, revoke, for: caller }: ApproveFlags & { readonly begin: string },
  parser: Command,
): Promise<number> => {
  const { out, symbols, wants } = cli;
  const plans = (await store.approvals.list()).filter(({ planHash }) => isMeant(planHash, begin));
  const [hash, ...others] = new Set(plans.map(({ planHash }) => planHash));
  if (hash === undefined)
    throw usageFault(`Nobody has proposed the plan ${begin}; factotum approve lists those that wait.`, `${parser.name()} --help`);
  if (others.length > 0)
    throw usageFault(`${others.length + 1} plans begin with ${begin}; give more of the hash: ${[hash, ...others].join(', ')}.`);
  const meant = caller === undefined ? plans : plans.filter((plan) => plan.caller === caller);
  const callers = plans
    .map((plan) => visible(plan.caller))
    .sort()
    .join(', ');
  if (meant.length === 0) throw usageFault(`${visible(caller ?? '')} has not proposed this plan; those who have: ${callers}.`);
  // A yes is for the one who asked: others may have sent a list only to be served along with it. To take it back from all does no harm.
  const [only] = meant;
  if (!revoke && meant.length > 1)
    throw usageFault(`${meant.length} callers wait for this plan: ${callers}; say which one with --for CALLER.`);
  const decided = revoke ? meant : await store.approvals.approve(hash, userInfo().username, length * HOUR_MS, only?.caller);
  if (revoke) await store.approvals.revoke(hash, caller);
  if (wants.json) showJson(cli, decided.map(shown));
  else
    for (const { caller } of decided)
      out.line(`${out.colors.green(symbols.good)} ${visible(caller)} may ${revoke ? 'no longer run it' : 'run it once'}.`);
  return EXIT.ok;
};

const showPlans = async (cli: Cli, { store }: History): Promise<number> => {
  const plans = await store.approvals.list();
  if (cli.wants.json) showJson(cli, plans.map(shown));
  else if (plans.length === 0) cli.out.line('No plan waits for a yes.');
  else
    for (const plan of plans) {
      cli.out.line(`${plan.planHash}  ${stateOf(plan).padEnd(9)}  ${visible(plan.caller)}`);
      for (const line of proposalLines(plan)) cli.out.line(`  ${visible(line)}`);
    }
  return EXIT.ok;
};

const stateOf = ({ approvedAt, expiresAt }: ApprovedPlan): string => {
  if (approvedAt === null) return 'waits';
  return expiresAt !== null && expiresAt < Date.now() ? 'expired' : 'approved';
};

const shown = (plan: ApprovedPlan) => ({
  plan_hash: plan.planHash,
  caller: plan.caller,
  state: stateOf(plan),
  summary: plan.summary,
  proposed_at: new Date(plan.proposedAt).toISOString(),
  approved_by: plan.approvedBy,
});
