import { bigintFromBytes, formatDecimal } from '../decimals.ts';
import { jsonNumber, textOf, uuidText, wholeNumber } from '../from-stored.ts';
import { formatDate, formatTime, formatTimestamp } from '../times.ts';
import { demand } from './unreadable.ts';

/** The names that fields of a variant's objects have, by their number. */
export type VariantNames = readonly string[];

interface Place {
  readonly bytes: Buffer;
  readonly at: number;
  readonly depth: number;
  /** How many values were read: each takes a byte at least, so more than there are bytes lie on one another. */
  readonly count: { values: number };
}

const MAX_DEPTH = 500;
const MAX_NAMES = 1024 * 1024;
const DAMAGED = 'the bytes of a variant end early';

/** Reads the names from the metadata of a variant. */
export const readVariantNames = (stored: unknown): VariantNames => {
  const bytes = bufferOf(stored);
  const header = byteAt(bytes, 0);
  demand((header & 0x0f) === 1, 'a variant is of an unknown version');
  const width = (header >> 6) + 1;
  const count = unsignedAt(bytes, 1, width);
  demand(count <= MAX_NAMES && 1 + (count + 2) * width <= bytes.byteLength, DAMAGED);
  const base = 1 + (count + 2) * width;
  const offset = (index: number) => base + unsignedAt(bytes, 1 + (1 + index) * width, width);
  return Array.from({ length: count }, (_, index) => textOf(slice(bytes, offset(index), offset(index + 1) - offset(index))));
};

/** Reads the bytes of a variant as JSON. */
export const readVariant = (stored: unknown, names: VariantNames): unknown =>
  valueAt({ bytes: bufferOf(stored), at: 0, depth: 0, count: { values: 0 } }, names);

const valueAt = (place: Place, names: VariantNames): unknown => {
  const { bytes, at, depth, count } = place;
  count.values += 1;
  demand(count.values <= bytes.byteLength, 'the values of a variant lie on one another');
  demand(depth <= MAX_DEPTH, 'a variant is nested too deeply');
  const header = byteAt(bytes, at);
  const rest = header >> 2;
  switch (header & 3) {
    case 0:
      return primitiveAt(bytes, at + 1, rest);
    case 1:
      return textOf(slice(bytes, at + 1, rest));
    case 2:
      return objectAt(place, rest, names);
    default:
      return arrayAt(place, rest, names);
  }
};

/** Primitive values by their number in the format. */
const primitiveAt = (bytes: Buffer, at: number, kind: number): unknown => {
  const whole = (width: number): bigint => bigintFromBytes(slice(bytes, at, width).reverse());
  switch (kind) {
    case 0:
      return null;
    case 1:
      return true;
    case 2:
      return false;
    case 3:
    case 4:
    case 5:
    case 6:
      return wholeNumber(whole(2 ** (kind - 3)));
    case 7:
      return jsonNumber(slice(bytes, at, 8).readDoubleLE());
    case 8:
    case 9:
    case 10: {
      const scale = byteAt(bytes, at);
      demand(scale <= 38, 'a decimal has an impossible scale');
      return formatDecimal(bigintFromBytes(slice(bytes, at + 1, 2 ** (kind - 6)).reverse()), scale);
    }
    case 11:
      return formatDate(Number(whole(4)));
    case 12:
    case 13:
      return formatTimestamp(whole(8), 'us', kind === 12);
    case 14:
      return jsonNumber(slice(bytes, at, 4).readFloatLE());
    case 15:
      return { base64: longAt(bytes, at).toString('base64') };
    case 16:
      return textOf(longAt(bytes, at));
    case 17:
      return formatTime(whole(8), 'us');
    case 18:
    case 19:
      return formatTimestamp(whole(8), 'ns', kind === 18);
    case 20:
      return uuidText(slice(bytes, at, 16));
    default:
      return demand(false, `a variant has a value of the unknown kind ${kind}`);
  }
};

const longAt = (bytes: Buffer, at: number): Buffer => slice(bytes, at + 4, unsignedAt(bytes, at, 4));

const objectAt = ({ bytes, at, depth, count: read }: Place, rest: number, names: VariantNames): unknown => {
  const offsetWidth = (rest & 3) + 1;
  const idWidth = ((rest >> 2) & 3) + 1;
  const countWidth = (rest >> 4) & 1 ? 4 : 1;
  const count = unsignedAt(bytes, at + 1, countWidth);
  const ids = at + 1 + countWidth;
  const offsets = ids + count * idWidth;
  const values = offsets + (count + 1) * offsetWidth;
  demand(values <= bytes.byteLength, DAMAGED);
  const object = new Map<string, unknown>();
  for (let index = 0; index < count; index += 1) {
    const name = names[unsignedAt(bytes, ids + index * idWidth, idWidth)];
    demand(name !== undefined && !object.has(name), 'a field of a variant has no name, or one that is taken');
    object.set(
      name,
      valueAt({ bytes, at: values + unsignedAt(bytes, offsets + index * offsetWidth, offsetWidth), depth: depth + 1, count: read }, names),
    );
  }
  return Object.fromEntries(object);
};

const arrayAt = ({ bytes, at, depth, count: read }: Place, rest: number, names: VariantNames): unknown => {
  const offsetWidth = (rest & 3) + 1;
  const countWidth = (rest >> 2) & 1 ? 4 : 1;
  const count = unsignedAt(bytes, at + 1, countWidth);
  const offsets = at + 1 + countWidth;
  const values = offsets + (count + 1) * offsetWidth;
  demand(values <= bytes.byteLength, DAMAGED);
  return Array.from({ length: count }, (_, index) =>
    valueAt({ bytes, at: values + unsignedAt(bytes, offsets + index * offsetWidth, offsetWidth), depth: depth + 1, count: read }, names),
  );
};

const byteAt = (bytes: Buffer, at: number): number => {
  const byte = bytes[at];
  demand(byte !== undefined, DAMAGED);
  return byte;
};

const unsignedAt = (bytes: Buffer, at: number, width: number): number => {
  demand(at + width <= bytes.byteLength, DAMAGED);
  return bytes.readUIntLE(at, width);
};

/** A copy: whoever gets it may turn it round. */
const slice = (bytes: Buffer, at: number, length: number): Buffer => {
  demand(length >= 0 && at + length <= bytes.byteLength, DAMAGED);
  return Buffer.from(bytes.subarray(at, at + length));
};

const bufferOf = (value: unknown): Buffer => {
  demand(value instanceof Uint8Array, 'a variant has no bytes');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
};
