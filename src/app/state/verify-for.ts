import type { Caller } from '../../access/caller.ts';
import { ExecuteActionException, RecordedException } from '../../core/errors.ts';
import { plainText } from '../../core/plain-text.ts';
import { verifiedFrom } from '../../lib/manifest/drift.ts';
import type { Gateway } from '../../pipeline/gateway.ts';
import type { MonitorParts } from '../../services/integrity/monitors.ts';

/** Compares a tree with its manifest by the action for that, so that the rights of whoever asked for it hold. */
export const verifyFor =
  (gateway: Gateway, callerOf: (name: string) => Caller | undefined): MonitorParts['verify'] =>
  async ({ caller: name, root, manifestPath, alertOnExtra, signal }) => {
    const caller = callerOf(name);
    if (caller === undefined) throw new ExecuteActionException(`Nobody is called ${name} any more, so nothing is checked for them.`);
    const args = { root: plainText(root), manifest_path: plainText(manifestPath) };
    const { results } = await gateway.run([['FA_verify_manifest', args]], { caller, signal, source: 'watch' });
    const [outcome] = results;
    if (outcome?.error !== undefined) throw new RecordedException(outcome.error);
    if (outcome === undefined) throw new ExecuteActionException('The comparison did not end; it is made again when it is due.');
    return verifiedFrom(outcome, alertOnExtra);
  };
