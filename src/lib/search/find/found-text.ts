import { isAscii } from 'node:buffer';
import type { LeftOut } from '../left-out.ts';
import type { FoundNames } from './find-part.ts';

/** Paths that were found, as bytes: a hundred thousand strings would take longer to hand to another thread than to find. */
export interface FoundText {
  /** Paths from the root, each ended by NUL, which no name can hold. */
  readonly text: Uint8Array<ArrayBuffer>;
  readonly unreadable: LeftOut;
}

const END = '\0';

/** Packs names for another thread. */
export const packNames = ({ directories, counts, names, unreadable }: FoundNames): FoundText => {
  let at = 0;
  const pieces = directories.map((directory, index) => {
    const start = at;
    at += counts[index] ?? 0;
    return Buffer.from(directory + names.slice(start, at).join(END + directory) + END);
  });
  const text = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let end = 0;
  for (const piece of pieces) {
    text.set(piece, end);
    end += piece.byteLength;
  }
  return { text, unreadable };
};

/** Adds the paths to a list, each as it is shown. */
export const addText = (to: string[], { text }: FoundText, shown: (relative: string) => string): void => {
  const all = Buffer.from(text.buffer).toString(isAscii(text) ? 'latin1' : 'utf8');
  for (let start = 0; start < all.length; ) {
    const end = all.indexOf(END, start);
    to.push(shown(all.slice(start, end)));
    start = end + 1;
  }
};
