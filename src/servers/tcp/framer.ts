import { lineTooLong, listTooDeep, listTooLarge, secretMissing, strayByte } from './refusals.ts';

/** What a client sends: lists, and lines that say who it is. */
export type Piece = { readonly kind: 'list'; readonly bytes: Buffer } | { readonly kind: 'auth'; readonly secret: string };

export interface FramerOptions {
  /** Takes no list before `unlock`. */
  readonly locked: boolean;
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/**
 * Cuts a stream of bytes into pieces without parsing them: a list ends where its JSON value ends. It may be fed at any cut.
 * Throws at the first byte that cannot belong to a piece, because a reader that looks for the next list would find those that
 * somebody hid in other text; after that it is of no more use.
 */
export interface Framer {
  /** Takes the next bytes, once `next` has given everything of those before. */
  feed(chunk: Buffer): void;
  /** The next whole piece; undefined where more bytes are needed. */
  next(): Piece | undefined;
  /** Some bytes of a piece have come, but not all. */
  readonly isInside: boolean;
  unlock(): void;
}

const MAX_LINE_BYTES = 4096;
const WORD = Buffer.from('AUTH ');

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const LETTER_A = 0x41;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const createFramer = ({ locked, maxBytes, maxDepth }: FramerOptions): Framer => {
  let isLocked = locked;
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;
  let inside: Piece['kind'] | undefined;
  /** Where the piece under way starts in this chunk; what came of it in earlier chunks is in `held`. */
  let start = 0;
  let held: Buffer = Buffer.alloc(0);
  let heldBytes = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;

  const begin = (): undefined => {
    while (isSpace(chunk[at])) at += 1;
    const first = chunk[at];
    if (first === undefined) return;
    if (first === LETTER_A) inside = 'auth';
    else if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) throw isLocked ? secretMissing() : strayByte(first);
    else if (isLocked) throw secretMissing();
    else inside = 'list';
    start = at;
    depth = 0;
    isInString = false;
    isEscaped = false;
  };

  const scanLine = (): Piece | undefined => {
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const place = heldBytes + at - start;
      if (place < WORD.length) {
        if (byte !== WORD[place]) throw isLocked ? secretMissing() : strayByte(byte);
      } else if (byte === LINE_FEED) {
        at += 1;
        return { kind: 'auth', secret: secretOf(finish()) };
      } else if (place >= MAX_LINE_BYTES) throw lineTooLong(MAX_LINE_BYTES);
    }
    return hold();
  };

  /** Works on local copies of the state: this loop sees every byte. */
  const scanList = (): Piece | undefined => {
    let level = depth;
    let quoted = isInString;
    let escaped = isEscaped;
    for (let here = at; here < chunk.length; here += 1) {
      const byte = chunk[here];
      if (quoted) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) quoted = false;
      } else if (byte === QUOTE) quoted = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        level += 1;
        if (level > maxDepth) throw listTooDeep(maxDepth);
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        level -= 1;
        if (level > 0) continue;
        at = here + 1;
        if (heldBytes + at - start > maxBytes) throw listTooLarge(maxBytes);
        return { kind: 'list', bytes: finish() };
      }
    }
    at = chunk.length;
    depth = level;
    isInString = quoted;
    isEscaped = escaped;
    if (heldBytes + at - start > maxBytes) throw listTooLarge(maxBytes);
    return hold();
  };

  /** Keeps what this chunk has of the piece. The room doubles, so that a list that comes byte by byte costs no more than its size. */
  const hold = (): undefined => {
    const size = heldBytes + at - start;
    if (size > held.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, 2 * held.length));
      held.copy(larger, 0, 0, heldBytes);
      held = larger;
    }
    chunk.copy(held, heldBytes, start, at);
    heldBytes = size;
    start = at;
  };

  /** The bytes of the piece that ends here. */
  const finish = (): Buffer => {
    inside = undefined;
    if (heldBytes === 0) return chunk.subarray(start, at);
    hold();
    const whole = held.subarray(0, heldBytes);
    held = Buffer.alloc(0);
    heldBytes = 0;
    return whole;
  };

  return {
    feed(next) {
      chunk = next;
      at = 0;
      start = 0;
    },
    next() {
      while (at < chunk.length) {
        const piece = inside === undefined ? begin() : inside === 'list' ? scanList() : scanLine();
        if (piece !== undefined) return piece;
      }
      return undefined;
    },
    get isInside() {
      return inside !== undefined;
    },
    unlock() {
      isLocked = false;
    },
  };
};

const isSpace = (byte: number | undefined): boolean => byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;

/** What stands after the word, without the blanks around it. */
const secretOf = (line: Buffer): string =>
  line
    .toString('utf8', WORD.length)
    .replace(/^ +/, '')
    .replace(/ *\r?\n$/, '');
