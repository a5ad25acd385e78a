import * as shapes from '../../core/shapes.ts';

/** The shape of one tracked piece of work. */
export const snapshot = shapes.object({
  name: shapes.text(),
  run_id: shapes.nullable(shapes.text()),
  action: shapes.nullable(shapes.text()),
  status: shapes.oneOf(['running', 'done', 'failed', 'cancelled']),
  transferred: shapes.number(),
  total: shapes.nullable(shapes.number()),
  unit: shapes.oneOf(['bytes', 'items']),
  rate: shapes.number(),
  eta_s: shapes.nullable(shapes.number()),
  started_at: shapes.text(),
  finished_at: shapes.nullable(shapes.text()),
});
