import { isAscii } from 'node:buffer';
import { sep } from 'node:path';
import { createTextPieces } from '../../text/text-pieces.ts';

/** Paths as bytes: a hundred thousand texts would take longer to keep, or to hand to another thread, than to find. */
export interface PathText {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** What stands before each path; a line end only where no path holds one. */
  readonly mark: '\n' | '\0';
}

/** How paths are written. */
export interface PathForm {
  /** The root as the caller calls it. */
  readonly shown: string;
  /** Each on a line, unless one of them holds a line end. */
  readonly asLines: boolean;
}

/** Writes paths into bytes. */
export interface PathWriter {
  /** Adds names in a directory, which is told from the root with `/` behind every name. */
  add(directory: string, names: readonly string[]): void;
  text(): PathText;
}

const [LF, NUL] = [0x0a, 0];

export const createPathWriter = ({ shown, asLines }: PathForm): PathWriter => {
  const root = shown.endsWith(sep) ? shown : shown + sep;
  const written = createTextPieces();
  let mark: PathText['mark'] = asLines ? '\n' : '\0';

  /** Marks all paths, those before too, with what no name can hold. */
  const markByNul = (): void => {
    for (const piece of written.pieces()) for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at)) piece[at] = NUL;
    mark = '\0';
  };

  return {
    add(directory, names) {
      const prefix = root + (sep === '/' ? directory : directory.replaceAll('/', sep));
      if (mark === '\n' && (prefix.includes('\n') || names.some(holdsLineEnd))) markByNul();
      written.add(['', ...names].join(mark + prefix)); // in one step: to put it together would make it twice
    },
    text: () => ({ pieces: written.pieces(), mark }),
  };
};

const holdsLineEnd = (name: string): boolean => name.includes('\n');

/** Adds the paths to a list. They are parts of long texts, which costs less than to make each of them. */
export const addPaths = (to: string[], { pieces, mark }: PathText): void => {
  for (const piece of pieces) for (const path of decode(piece.subarray(1)).split(mark)) to.push(path);
};

/** Texts with each path on a line; undefined where that cannot be. */
export const linesOf = (texts: readonly PathText[]): Uint8Array[] | undefined => {
  if (texts.some(({ mark }) => mark !== '\n')) return undefined;
  const [first, ...others] = texts.flatMap(({ pieces }) => pieces);
  return first === undefined ? [] : [first.subarray(1), ...others, Uint8Array.of(LF)];
};

const decode = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): string => {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
};
