/** A long text as bytes, made bit by bit: as one growing text it would have to be kept, and moved, by the collector of garbage. */
export interface TextPieces {
  /** Adds a text; it stays in one piece. */
  add(text: string): void;
  /** What was added so far, one behind the other; what comes later goes into further pieces. */
  pieces(): readonly Buffer<ArrayBuffer>[];
}

const MAX_BYTES_PER_CHAR = 3;
const FIRST_PIECE_BYTES = 16 * 1024;
const MAX_PIECE_BYTES = 1024 * 1024;
const NOTHING = Buffer.allocUnsafeSlow(0);

export const createTextPieces = (): TextPieces => {
  const pieces: Buffer<ArrayBuffer>[] = [];
  let piece = NOTHING;
  let filled = 0;
  let nextBytes = FIRST_PIECE_BYTES;

  const endPiece = (): void => {
    if (filled > 0) pieces.push(piece.subarray(0, filled));
    piece = NOTHING; // no two of them share their memory, so that each can be handed to another thread
    filled = 0;
  };

  return {
    add(text) {
      const mostBytes = text.length * MAX_BYTES_PER_CHAR;
      if (filled + mostBytes > piece.byteLength) {
        endPiece();
        piece = Buffer.allocUnsafeSlow(Math.max(nextBytes, mostBytes));
        nextBytes = Math.min(2 * nextBytes, MAX_PIECE_BYTES);
      }
      filled += piece.write(text, filled);
    },
    pieces() {
      endPiece();
      return pieces;
    },
  };
};
