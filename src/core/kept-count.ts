import type { DeviceRoom, UndoLimits } from './journal.ts';
import { UNDO_REASONS } from './undo-reasons.ts';

/** Something that would be kept. */
export interface Keepable {
  readonly bytes: number;
  readonly files: number;
}

/** Counts what a run keeps: in a dry run and in a real one by the same rule. */
export interface KeptCount {
  /** Why something more cannot be kept; undefined where it can, and then it counts. */
  refuse(more: Keepable, limits: UndoLimits, room: DeviceRoom | undefined): string | undefined;
  /** It was not kept after all. */
  giveBack(more: Keepable, room: DeviceRoom | undefined): void;
}

export const createKeptCount = (): KeptCount => {
  let bytes = 0;
  let files = 0;
  const byDevice = new Map<number, number>();
  const count = (more: Keepable, room: DeviceRoom | undefined, sign: 1 | -1): void => {
    bytes += sign * more.bytes;
    files += sign * more.files;
    if (room !== undefined) byDevice.set(room.device, (byDevice.get(room.device) ?? 0) + sign * more.bytes);
  };
  return {
    refuse(more, { maxBytes, maxFiles }, room) {
      if (bytes + more.bytes > maxBytes) return UNDO_REASONS.tooLarge;
      if (files + more.files > maxFiles) return UNDO_REASONS.tooMany;
      // Never more than the device has left: whoever deletes to make room must get it.
      if (room !== undefined && (room.isTight || (byDevice.get(room.device) ?? 0) + more.bytes > room.freeBytes))
        return UNDO_REASONS.noRoom;
      count(more, room, 1);
      return undefined;
    },
    giveBack: (more, room) => count(more, room, -1),
  };
};
