// The part of a 7z header that names the files.
import { windowsTimeMs } from '../../dos-time.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { bits, count, damaged7z, number, optionalBits } from './seven-fields.ts';

/** A file as the header lists it. */
export interface ListedFile {
  readonly name: string;
  readonly isMisencoded: boolean;
  readonly hasContent: boolean;
  readonly isDir: boolean;
  /** It stands for a file to be deleted. */
  readonly isAnti: boolean;
  readonly mtimeMs: number | undefined;
  readonly attributes: number | undefined;
}

const PROPERTY = { end: 0, emptyStream: 14, emptyFile: 15, anti: 16, names: 17, mtime: 20, attributes: 21 };

/** Reads the list of files. */
export const readFiles = (fields: Fields): ListedFile[] => {
  const length = count(fields, fields.left * 8);
  const properties = new Map<number, Buffer>();
  for (let type = number(fields); type !== PROPERTY.end; type = number(fields)) properties.set(type, fields.take(number(fields)));
  const isEmpty = bitsOf(properties.get(PROPERTY.emptyStream), length);
  const empties = isEmpty.filter(Boolean).length;
  const isFile = bitsOf(properties.get(PROPERTY.emptyFile), empties);
  const isAnti = bitsOf(properties.get(PROPERTY.anti), empties);
  const names = namesOf(properties.get(PROPERTY.names), length);
  const times = valuesOf(properties.get(PROPERTY.mtime), length, (each) => windowsTimeMs(each.take(8).readBigUInt64LE(0)));
  const attributes = valuesOf(properties.get(PROPERTY.attributes), length, (each) => each.u32());
  let nextEmpty = 0;
  return names.map((name, index) => {
    const hasContent = isEmpty[index] !== true;
    const at = nextEmpty;
    if (!hasContent) nextEmpty += 1;
    return {
      name,
      isMisencoded: /\p{Surrogate}/u.test(name),
      hasContent,
      isDir: !hasContent && isFile[at] !== true,
      isAnti: !hasContent && isAnti[at] === true,
      mtimeMs: times[index],
      attributes: attributes[index],
    };
  });
};

const bitsOf = (property: Buffer | undefined, length: number): boolean[] =>
  property === undefined ? [] : bits(fieldsOf(property), length);

/** UTF-16, each ended by a NUL, after a byte that says that they stand here. */
const namesOf = (property: Buffer | undefined, length: number): string[] => {
  if (length === 0) return [];
  if (property === undefined || property[0] !== 0 || property.byteLength % 2 !== 1) throw damaged7z();
  const names = property.toString('utf16le', 1).split('\0');
  if (names.pop() !== '' || names.length !== length) throw damaged7z();
  return names;
};

const valuesOf = <T>(property: Buffer | undefined, length: number, read: (fields: Fields) => T): (T | undefined)[] => {
  if (property === undefined) return [];
  const fields = fieldsOf(property);
  const isDefined = optionalBits(fields, length);
  if (fields.u8() !== 0) throw damaged7z();
  return isDefined.map((isThere) => (isThere ? read(fields) : undefined));
};
