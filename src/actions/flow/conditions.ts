import { defineAction } from '../../core/action.ts';
import { integer, path, steps } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { demandOk } from '../../core/steps-result.ts';
import { branchResult } from './run-result.ts';
import { conditionArgs, holds, type ValueCondition } from './value-condition.ts';

interface Branches {
  readonly then: unknown;
  readonly else_: unknown;
}

/** Runs the branch that the answer names; one that was left out runs nothing. */
const follow = async ({ runSteps, demandCertain }: Context, matched: boolean, branches: Branches) => {
  demandCertain();
  const chosen = matched ? branches.then : branches.else_;
  return { matched, results: chosen === null ? [] : demandOk(await runSteps(chosen)).results };
};

const branchArgs = {
  then: steps('The commands to run when it holds.', { default: null }),
  else_: steps('The commands to run when it does not.', { default: null }),
};

const create = (name: string) => [['FA_create_file', { file_path: name }]];

const whenValue = async (ctx: Context, { value, is, other, ...branches }: Branches & ValueCondition) =>
  follow(ctx, await holds({ value, is, other }), branches);

export const ifValue = defineAction({
  name: 'FA_if',
  summary: 'Runs one of two lists, depending on a value.',
  args: { ...conditionArgs, ...branchArgs },
  returns: branchResult,
  tellsSteps: true,
  examples: [
    { args: { value: ['a'], is: 'not_empty', then: create('yes'), else_: create('no') }, leaves: { yes: '', no: null } },
    { args: { value: 3, is: 'greater_than', other: 5, then: create('yes'), else_: create('no') }, leaves: { yes: null, no: '' } },
  ],
  plan: whenValue,
  run: whenValue,
});

const whenExists = async (ctx: Context, { path: wanted, ...branches }: Branches & { readonly path: string }) =>
  follow(ctx, (await ctx.files.stat(wanted)) !== undefined, branches);

export const ifExists = defineAction({
  name: 'FA_if_exists',
  summary: 'Runs one of two lists, depending on whether something is at a path.',
  args: { path: path('The path to look at.', { role: 'reads', mayBeMissing: true }), ...branchArgs },
  returns: branchResult,
  tellsSteps: true,
  examples: [{ files: { 'a.txt': '' }, args: { path: 'a.txt', then: create('yes'), else_: create('no') }, leaves: { yes: '', no: null } }],
  plan: whenExists,
  run: whenExists,
});

const whenNewer = async (
  ctx: Context,
  { path: wanted, reference, ...branches }: Branches & { readonly path: string; readonly reference: string },
) => {
  const [one, other] = [await ctx.files.stat(wanted), await ctx.files.stat(reference)];
  return follow(ctx, one !== undefined && (other === undefined || one.mtimeMs > other.mtimeMs), branches);
};

export const ifNewer = defineAction({
  name: 'FA_if_newer',
  summary: 'Runs one of two lists, depending on whether a path is newer than a reference; a missing reference counts as older.',
  args: {
    path: path('The path to look at; a missing one is never newer.', { role: 'reads', mayBeMissing: true }),
    reference: path('The path it is compared with.', { role: 'reads', mayBeMissing: true }),
    ...branchArgs,
  },
  returns: branchResult,
  tellsSteps: true,
  examples: [{ files: { 'a.txt': '' }, args: { path: 'a.txt', reference: 'missing', then: create('yes') }, leaves: { yes: '' } }],
  plan: whenNewer,
  run: whenNewer,
});

const whenLarger = async (
  ctx: Context,
  { path: wanted, bytes_threshold, ...branches }: Branches & { readonly path: string; readonly bytes_threshold: number },
) => {
  const entry = await ctx.files.stat(wanted);
  return follow(ctx, entry?.kind === 'file' && entry.size > bytes_threshold, branches);
};

export const ifSizeGt = defineAction({
  name: 'FA_if_size_gt',
  summary: 'Runs one of two lists, depending on whether a file is larger than a number of bytes.',
  args: {
    path: path('The file to look at; a directory never matches.', { role: 'reads', mayBeMissing: true }),
    bytes_threshold: integer('It must hold more than this.', { min: 0 }),
    ...branchArgs,
  },
  returns: branchResult,
  tellsSteps: true,
  examples: [{ files: { 'a.txt': '1234' }, args: { path: 'a.txt', bytes_threshold: 3, then: create('yes') }, leaves: { yes: '' } }],
  plan: whenLarger,
  run: whenLarger,
});
