/**
 * A value as the text that is printed for it. Where a context says `isPrinted`, an action may give one: to make hundreds of thousands
 * of objects and print them at once takes longer than to find what they tell. Everybody but the printer sees the value itself, which
 * is what JSON makes of it.
 */
export class PrintedValue {
  /** One behind the other they are what to print. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly #read: (text: string) => unknown;

  constructor(pieces: PrintedValue['pieces'], read: (text: string) => unknown) {
    this.pieces = pieces;
    this.#read = read;
  }

  toJSON(): unknown {
    return this.#read(this.#bytes().toString());
  }

  /** The value; of one whose text is longer than so many bytes only the beginning of the text, a little longer than that. */
  atMost(bytes: number): unknown {
    let length = 0;
    const first = this.pieces.findIndex((piece) => {
      length += Buffer.byteLength(piece);
      return length > bytes;
    });
    return first < 0 ? this.toJSON() : this.#bytes(first + 1).toString('utf8', 0, bytes + MORE);
  }

  #bytes(pieces = this.pieces.length): Buffer {
    return Buffer.concat(this.pieces.slice(0, pieces).map((piece) => Buffer.from(piece)));
  }
}

/** Enough for whoever cuts it at that length to see that there is more. */
const MORE = 4;

/** A value that is printed as JSON, on one line; typed as the value that it stands for. */
export const printedJson = <T>(pieces: PrintedValue['pieces']): T => new PrintedValue(pieces, JSON.parse) as T;

/** A list of texts that is printed with one of them on each line, the last with its line end. */
export const printedLines = (pieces: PrintedValue['pieces']): string[] =>
  // Typed as the value that it stands for.
  new PrintedValue(pieces, (text) => text.split('\n').slice(0, -1)) as unknown as string[];
