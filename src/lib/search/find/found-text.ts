import { isAscii } from 'node:buffer';
import { sep } from 'node:path';
import type { LeftOut } from '../left-out.ts';
import type { FoundNames } from './find-part.ts';

/** Paths that were found, as bytes: a hundred thousand strings would take longer to hand to another thread than to find. */
export interface FoundText {
  /** Paths separated by NUL, which no name can hold. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly unreadable: LeftOut;
}

const BETWEEN = '\0';
/** How many groups of names make a piece: texts have a greatest length. */
const GROUPS_PER_PIECE = 1024;

/** Packs what was found for another thread, as paths below the root as it is shown. */
export const packPaths = (found: FoundNames, shown: string): FoundText => {
  const encoder = new TextEncoder();
  return { pieces: textsOf(found, shown).map((text) => encoder.encode(text)), unreadable: found.unreadable };
};

/** Adds the paths to a list. They are parts of long texts, which costs less than putting each together. */
export const addPaths = (to: string[], found: FoundNames | FoundText, shown: string): void => {
  const texts = 'pieces' in found ? found.pieces.map(decode) : textsOf(found, shown);
  for (const text of texts) for (const path of text.split(BETWEEN)) to.push(path);
};

const textsOf = ({ directories, groups }: FoundNames, shown: string): string[] => {
  const root = shown.endsWith(sep) ? shown : shown + sep;
  const pathsOf = (names: readonly string[], at: number): string => {
    const relative = directories[at] ?? '';
    const prefix = root + (sep === '/' ? relative : relative.replaceAll('/', sep));
    return prefix + names.join(BETWEEN + prefix);
  };
  const paths = groups.map(pathsOf);
  const texts: string[] = [];
  for (let at = 0; at < paths.length; at += GROUPS_PER_PIECE) texts.push(paths.slice(at, at + GROUPS_PER_PIECE).join(BETWEEN));
  return texts;
};

const decode = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): string => {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
};
