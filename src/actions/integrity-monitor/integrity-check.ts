import { defineAction } from '../../core/action.ts';
import { flag, list, path } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ManifestException, RecordedException } from '../../core/errors.ts';
import { onMismatch } from '../../core/on-mismatch.ts';
import { plainText } from '../../core/plain-text.ts';
import * as shapes from '../../core/shapes.ts';
import { driftMessage, isIntact, summarise, verifiedFrom } from '../../lib/manifest/drift.ts';
import type { Verified } from '../../lib/manifest/verify-manifest.ts';
import { bounded } from '../../lib/partial/bounded.ts';
import { MOST_TOLD } from '../../lib/partial/failures.ts';

const NOTHING_FOUND: Verified = { matched: [], missing: [], modified: [], extra: [], errors: [] };

interface Wanted {
  readonly root: string;
  readonly manifest_path: string;
  readonly alert_on_extra: boolean;
}

/** What says that the caller may not look: nothing was learnt of the directory, so there is nothing to tell of it. */
const REFUSALS: ReadonlySet<string> = new Set(['PolicyException', 'ActionNotPermittedException', 'PathTraversalException']);

/** One comparison, as the caller's own command; a text where it could not be made. A refusal is thrown as it was met. */
const compare = async ({ runSteps }: Context, { root, manifest_path, alert_on_extra }: Wanted): Promise<Verified | string> => {
  const args = { root: plainText(root), manifest_path: plainText(manifest_path) };
  const { results } = await runSteps([['FA_verify_manifest', args]]);
  const [outcome] = results;
  if (outcome?.error !== undefined && REFUSALS.has(outcome.error.type)) throw new RecordedException(outcome.error);
  if (outcome?.status !== 'ok') return outcome?.error?.message ?? 'The comparison did not end; run it again.';
  return verifiedFrom(outcome, alert_on_extra);
};

/** Compares a tree once. */
export const integrityCheck = defineAction({
  name: 'FA_integrity_check',
  summary: 'Compares a directory with its manifest once and tells people when they differ.',
  args: {
    root: path('The directory.', { role: 'readsTree', mayBeMissing: true }),
    manifest_path: path('The manifest.', { role: 'reads', mayBeMissing: true }),
    alert_on_extra: flag('Whether files that the manifest does not know count as a change.', { default: false }),
    // The only places that are told: the role makes the action count as one that uses the network.
    sinks: list('Names of the sinks that are told; left out, all of them.', shapes.text({ minLength: 1 }), { default: null, role: 'sink' }),
    on_mismatch: onMismatch(),
  },
  returns: shapes.object(
    {
      matched: shapes.list(shapes.text()),
      missing: shapes.list(shapes.text()),
      modified: shapes.list(shapes.text()),
      extra: shapes.list(shapes.text()),
      errors: shapes.list(shapes.list(shapes.text())),
      ok: shapes.flag(),
    },
    { error: shapes.text() },
  ),
  question: { no: 'the directory is not as its manifest says, or the comparison could not be made', isNo: ({ ok }) => !ok },
  examples: [
    {
      dirs: ['d'],
      files: { 'm.json': '{"version": 1, "algorithm": "sha256", "files": {}}' },
      args: { root: 'd', manifest_path: 'm.json' },
      value: { matched: [], missing: [], modified: [], extra: [], errors: [], ok: true },
    },
  ],
  async run(ctx, args) {
    const compared = await compare(ctx, args);
    const hasFailed = typeof compared === 'string';
    const verified = hasFailed ? NOTHING_FOUND : compared;
    const ok = !hasFailed && isIntact(verified, args.alert_on_extra);
    if (!ok) {
      const found = hasFailed ? { ok: false as const, error: compared } : summarise(verified, args.alert_on_extra);
      await ctx.services.notify?.send(driftMessage(ctx.files.absolute(args.root), found, args.alert_on_extra), args.sinks ?? undefined);
    }
    const value = { ...verified, ok, ...(hasFailed && { error: compared }) };
    if (ok || args.on_mismatch === 'report') return value;
    throw new ManifestException(
      hasFailed
        ? compared
        : `${ctx.files.absolute(args.root)} is not as its manifest says; put the files back or write the manifest again.`,
      { context: { path: ctx.files.absolute(args.root), summary: bounded(value, MOST_TOLD) } },
    );
  },
});
