import { isUtf8 } from 'node:buffer';
import { shownBytes } from '../../../fs/raw-names.ts';
import { decodeCp437 } from '../../zip/cp437.ts';

/** A name as text. */
interface RarName {
  readonly name: string;
  readonly isMisencoded: boolean;
}

/** The name of an entry of an older rar archive. Where it is wide, it stands there twice: plainly, and after a NUL as the difference to UTF-16. */
export const readRar4Name = (raw: Buffer, { isWide, isFromUnix }: { readonly isWide: boolean; readonly isFromUnix: boolean }): RarName => {
  const end = isWide ? raw.indexOf(0) : -1;
  const { name, isMisencoded } = end < 0 ? narrow(raw, isWide || isFromUnix) : wide(raw.subarray(0, end), raw.subarray(end + 1));
  // On every system these archives separate names as Windows does.
  return { name: isMisencoded ? name : name.replaceAll('\\', '/'), isMisencoded };
};

const narrow = (raw: Buffer, mustBeUtf8: boolean): RarName => {
  const isFine = isUtf8(raw);
  return { name: isFine || mustBeUtf8 ? shownBytes(raw) : decodeCp437(raw), isMisencoded: mustBeUtf8 && !isFine };
};

/** Two bits say of each character where it comes from: one byte, one with the common upper byte, two bytes, or a run of the plain name. */
const wide = (plain: Buffer, packed: Buffer): RarName => {
  const units: number[] = [];
  let at = 0;
  const next = () => packed[at++] ?? 0;
  const upper = next() << 8;
  while (at < packed.byteLength) {
    for (let flags = next(), bits = 8; bits > 0 && at < packed.byteLength; flags = (flags << 2) & 0xff, bits -= 2) {
      switch (flags >> 6) {
        case 0:
          units.push(next());
          break;
        case 1:
          units.push(next() | upper);
          break;
        case 2:
          units.push(next() | (next() << 8));
          break;
        default: {
          const length = next();
          const shift = (length & 0x80) === 0 ? undefined : next();
          for (let left = (length & 0x7f) + 2; left > 0 && units.length < plain.byteLength; left -= 1) {
            const byte = plain[units.length] ?? 0;
            units.push(shift === undefined ? byte : ((byte + shift) & 0xff) | upper);
          }
        }
      }
    }
  }
  const name = String.fromCharCode(...units);
  return { name, isMisencoded: /\p{Surrogate}/u.test(name) };
};
