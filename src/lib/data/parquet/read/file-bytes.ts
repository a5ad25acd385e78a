import { demand } from './unreadable.ts';

/** Reads bytes of a file; the end is not included. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>;

/** A part of a file that is read from its start to its end, in large pieces. */
export interface ForwardPart {
  readonly isAtEnd: boolean;
  /** Reads with `parse`, which says how many bytes it used; it is called again with more where there were too few. */
  parse<T>(parse: (bytes: Uint8Array) => { readonly value: T; readonly used: number }): Promise<T>;
  take(bytes: number): Promise<Uint8Array>;
  skip(bytes: number): void;
}

/** Opens a part of a file. `ahead` bytes are read at once where that many are left. */
export const openPart = (read: ReadRange, start: number, end: number, ahead: number): ForwardPart => {
  let at = start;
  let held: Uint8Array = new Uint8Array(0);
  let heldAt = start;
  const demandHeld = async (bytes: number): Promise<Uint8Array> => {
    demand(bytes <= end - at, 'a page lies outside its column');
    if (at + bytes > heldAt + held.byteLength) {
      held = await read(at, Math.min(end, at + Math.max(bytes, ahead)));
      heldAt = at;
    }
    return held.subarray(at - heldAt);
  };
  return {
    get isAtEnd() {
      return at >= end;
    },
    async parse(parse) {
      for (let wanted = Math.min(FIRST_TRY, end - at); ; wanted = Math.min(wanted * 16, end - at)) {
        const bytes = await demandHeld(wanted);
        try {
          const { value, used } = parse(bytes);
          at += used;
          return value;
        } catch (fault) {
          if (bytes.byteLength >= Math.min(end - at, MAX_TRY)) throw fault;
          wanted = Math.max(wanted, bytes.byteLength);
        }
      }
    },
    async take(bytes) {
      const part = (await demandHeld(bytes)).subarray(0, bytes);
      at += bytes;
      return part;
    },
    skip(bytes) {
      demand(bytes >= 0 && bytes <= end - at, 'a page lies outside its column');
      at += bytes;
    },
  };
};

/** Heads of pages are short, unless they hold long bounds. */
const FIRST_TRY = 1024;
const MAX_TRY = 16 * 1024 * 1024;
