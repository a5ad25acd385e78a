import { anything, object, string, whole } from '../../core/shapes.ts';

/** An item as actions answer it. */
export const workItem = object({ id: whole(), action: anything(), attempts: whole(), enqueued_at: string() });
