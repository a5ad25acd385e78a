import type { Retention } from '../../services/engine/port/engine.ts';
import type { UndoRoom } from '../../services/undo/trim.ts';
import type { Config } from './load-config.ts';

const DAY_MS = 86_400_000;
/** Messages that were given up, and the marks by which repeated ones are known; nobody asks for either after that. */
const NOTIFICATIONS_DAYS = 7;

/** How much is kept to undo runs with, and for how long, in the words of `[store]`. */
export const undoRoomOf = ({ undo_bytes, undo_files, undo_days }: Config['store']): UndoRoom => ({
  maxBytes: undo_bytes,
  maxFiles: undo_files,
  maxAgeMs: undo_days * DAY_MS,
});

/** For how long a store keeps what, in the words of `[store]`. */
export const retentionOf = ({ runs_days, dead_days, fires_days, audit_days }: Config['store']): Retention => ({
  runsMs: runs_days * DAY_MS,
  deadMs: dead_days * DAY_MS,
  firesMs: fires_days * DAY_MS,
  auditMs: audit_days * DAY_MS,
  notificationsMs: NOTIFICATIONS_DAYS * DAY_MS,
  approvalsMs: runs_days * DAY_MS,
});
