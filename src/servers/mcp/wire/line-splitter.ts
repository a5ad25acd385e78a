/** What becomes of the lines of a stream. */
export interface LineSplitterOptions {
  readonly maxBytes: number;
  /** Called with each line that is not blank, without its end. */
  readonly take: (line: Buffer) => void;
  /** Called once for a line that is longer, as soon as that is known; the rest of it is dropped. */
  readonly tooLong: () => void;
}

export interface LineSplitter {
  readonly push: (chunk: Buffer) => void;
  /** What stands behind the last line break is a line too. */
  readonly end: () => void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cuts a stream into lines and holds no more of it than one line. */
export const createLineSplitter = ({ maxBytes, take, tooLong }: LineSplitterOptions): LineSplitter => {
  let pieces: Buffer[] = [];
  let size = 0;
  let isDropping = false;

  const add = (piece: Buffer) => {
    if (isDropping) return;
    size += piece.length;
    pieces.push(piece);
    if (size <= maxBytes) return;
    isDropping = true;
    pieces = [];
    tooLong();
  };
  const finish = () => {
    const line = withoutReturn(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
    pieces = [];
    size = 0;
    if (!isDropping && !isBlank(line)) take(line);
    isDropping = false;
  };

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    end: finish,
  };
};

const withoutReturn = (line: Buffer): Buffer => (line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line);

const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 0x20 || byte === 0x09);
