import { choice, nullable, numeric, object, string } from '../../core/shapes.ts';

/** The shape of one tracked piece of work. */
export const snapshot = object({
  name: string(),
  run_id: nullable(string()),
  action: nullable(string()),
  status: choice(['running', 'done', 'failed', 'cancelled']),
  transferred: numeric(),
  total: nullable(numeric()),
  unit: choice(['bytes', 'items']),
  rate: numeric(),
  eta_s: nullable(numeric()),
  started_at: string(),
  finished_at: nullable(string()),
});
