import * as shapes from '../../core/shapes.ts';

/** An item as actions answer it. */
export const workItem = shapes.object({
  id: shapes.integer(),
  action: shapes.json(),
  attempts: shapes.integer(),
  enqueued_at: shapes.text(),
});
