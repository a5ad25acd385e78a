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

/** Devices that are counted one by one; further ones count as one. */
const DEVICES = 16;
const BYTES = 0;
const FILES = 1;
const FIRST_DEVICE = 2;
/** Behind bytes and files: for each device its number, and the bytes on it. */
const PLACE_BYTES = (FIRST_DEVICE + 2 * DEVICES) * BigInt64Array.BYTES_PER_ELEMENT;

/** A place for what a run keeps that changes something on several threads: they count in it together. */
export const openSharedKeptCount = (): SharedArrayBuffer => new SharedArrayBuffer(PLACE_BYTES);

/** Counts in a shared place, on whatever thread, or for itself alone where none is given. */
export const createKeptCount = (place?: SharedArrayBuffer): KeptCount => {
  let opened: BigInt64Array | undefined;
  const open = (): BigInt64Array => {
    opened ??= new BigInt64Array(place ?? new ArrayBuffer(PLACE_BYTES));
    return opened;
  };
  const giveBack: KeptCount['giveBack'] = ({ bytes, files }, room) => {
    add(open(), BYTES, -bytes);
    add(open(), FILES, -files);
    if (room !== undefined) add(open(), bytesAt(open(), room.device), -bytes);
  };
  return {
    refuse(more, { maxBytes, maxFiles }, room) {
      const slots = open();
      // Counted first and given back when it was too much: of two threads at once, both must not get the last of the room.
      const bytes = add(slots, BYTES, more.bytes);
      const files = add(slots, FILES, more.files);
      const onDevice = room === undefined ? 0 : add(slots, bytesAt(slots, room.device), more.bytes);
      // Never more than the device has left: whoever deletes to make room must get it.
      const hasNoRoom = room !== undefined && (room.isTight || onDevice > room.freeBytes);
      if (bytes <= maxBytes && files <= maxFiles && !hasNoRoom) return undefined;
      giveBack(more, room);
      if (bytes > maxBytes) return UNDO_REASONS.tooLarge;
      return files > maxFiles ? UNDO_REASONS.tooMany : UNDO_REASONS.noRoom;
    },
    giveBack,
  };
};

/** Gives what it is then. */
const add = (slots: BigInt64Array, at: number, amount: number): number => {
  const units = BigInt(Math.ceil(amount));
  return Number(Atomics.add(slots, at, units) + units);
};

/** Where the bytes of a device are counted. */
const bytesAt = (slots: BigInt64Array, device: number): number => {
  const number = BigInt(device) + 1n; // 0 is a free one
  const last = FIRST_DEVICE + 2 * (DEVICES - 1);
  for (let at = FIRST_DEVICE; at < last; at += 2) {
    const found = Atomics.compareExchange(slots, at, 0n, number);
    if (found === 0n || found === number) return at + 1;
  }
  return last + 1;
};
