// Trees that are compared with their manifests again and again, and people who are told. Monitors are kept and do their work in
// services/integrity, which actions reach through ctx.services; one comparison is FA_verify_manifest. Read first: integrity-check.ts.
import { defineAction, defineFamily } from '../../core/action.ts';
import { flag, list, number, path, text } from '../../core/args.ts';
import { ManifestException } from '../../core/errors.ts';
import type { Monitors } from '../../core/ports/integrity.ts';
import type { Services } from '../../core/ports.ts';
import * as shapes from '../../core/shapes.ts';
import { integrityCheck } from './integrity-check.ts';

const snapshot = shapes.object({
  name: shapes.text(),
  root: shapes.text(),
  manifest_path: shapes.text(),
  interval: shapes.number(),
  alert_on_extra: shapes.flag(),
  running: shapes.flag(),
  last_check: shapes.nullable(shapes.text()),
  last_summary: shapes.nullable(shapes.record(shapes.json())),
});

const demandMonitors = ({ integrity }: Services): Monitors => {
  if (integrity === undefined) {
    throw new ManifestException('There are no monitors here; run this through factotum serve, or createFactotum({ store }).');
  }
  return integrity;
};

const scene = { dirs: ['d'], files: { 'm.json': '{"version": 1, "algorithm": "sha256", "files": {}}' } };
const site = { name: 'site', root: 'd', manifest_path: 'm.json' };

const integrityStart = defineAction({
  name: 'FA_integrity_start',
  summary: 'Compares a directory with its manifest again and again and tells people when they differ.',
  args: {
    name: text('What the monitor is called; no other may have the name.'),
    root: path('The directory.', { role: 'readsTree', mayBeMissing: true }),
    manifest_path: path('The manifest.', { role: 'reads', mayBeMissing: true }),
    interval: number('Seconds between two checks; the first comes after one interval.', { default: 60, min: 1, max: 31_536_000 }),
    alert_on_extra: flag('Whether files that the manifest does not know count as a change.', { default: false }),
    // The only places that are told: the role makes the action count as one that uses the network.
    sinks: list('Names of the sinks that are told; left out, all of them.', shapes.text({ minLength: 1 }), { default: null, role: 'sink' }),
  },
  returns: snapshot,
  examples: [{ ...scene, args: site }],
  run: ({ services, files, runId, ownName }, args) =>
    demandMonitors(services).start(
      {
        name: args.name,
        root: files.absolute(args.root),
        manifestPath: files.absolute(args.manifest_path),
        intervalS: args.interval,
        alertOnExtra: args.alert_on_extra,
        sinks: args.sinks,
      },
      { runId, ownName },
    ),
});

const integrityStop = defineAction({
  name: 'FA_integrity_stop',
  summary: 'Stops and removes a monitor and shows what it found last.',
  args: { name: text('The name of the monitor.') },
  returns: snapshot,
  changesRuns: true,
  examples: [{ ...scene, after: [['FA_integrity_start', site]], args: { name: 'site' } }],
  run: (ctx, { name }) => demandMonitors(ctx.services).stop(name, ctx),
});

const integrityList = defineAction({
  name: 'FA_integrity_list',
  summary: 'Lists the monitors and what they found last.',
  args: {},
  returns: shapes.list(snapshot),
  idempotent: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => [...(await demandMonitors(ctx.services).list(ctx))],
});

export const integrityMonitor = defineFamily({
  name: 'integrity-monitor',
  group: 'state',
  summary: 'Trees that are compared with their manifests again and again.',
  actions: [integrityStart, integrityStop, integrityList, integrityCheck],
});
