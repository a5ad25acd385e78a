import type { Schedule, Schedules } from '../../port/shelves.ts';
import { fromText, optional, type Sync, type Tools, toText } from '../repository.ts';
import { namedRepository } from './named.ts';

interface Row {
  readonly name: string;
  readonly cron: string;
  readonly tz: string | null;
  readonly body: string;
  readonly options: string;
  readonly enabled: number;
  readonly created_at: number;
  readonly last_slot: number | null;
  readonly last_run_id: string | null;
  readonly runs: number;
  readonly skipped: number;
}

/** Jobs of the scheduler. */
export const schedulesRepository = (tools: Tools): Sync<Schedules> => ({
  ...namedRepository<Schedule, Row>(tools, {
    table: 'schedule',
    columns: ['name', 'cron', 'tz', 'body', 'options', 'enabled', 'created_at', 'last_slot', 'last_run_id', 'runs', 'skipped'],
    toValues: (job) => [
      job.name,
      job.cron,
      job.timezone,
      tools.seal.seal(toText(job.body)),
      tools.seal.seal(toText(job.options)),
      Number(job.isEnabled),
      job.createdAt,
      job.lastSlot,
      job.lastRunId,
      job.runs,
      job.skipped,
    ],
    fromRow: (row) => ({
      name: row.name,
      cron: row.cron,
      timezone: row.tz,
      body: fromText(tools.seal.open(row.body)),
      options: fromText(tools.seal.open(row.options)),
      isEnabled: row.enabled === 1,
      createdAt: row.created_at,
      lastSlot: row.last_slot,
      lastRunId: row.last_run_id,
      runs: row.runs,
      skipped: row.skipped,
    }),
  }),
  mark(name, { slot, runId, ran = 0, skipped = 0 }) {
    tools.db.run(
      `UPDATE schedule SET last_slot = coalesce(?, last_slot), last_run_id = coalesce(?, last_run_id), runs = runs + ?, skipped = skipped + ?
       WHERE name = ?`,
      optional(slot),
      optional(runId),
      ran,
      skipped,
      name,
    );
  },
});
