import { broken } from '../broken.ts';

/** The records of an extended header: `23 path=some/long/name` and a line feed each, the number being the whole length. */
export const readPax = (bytes: Buffer): ReadonlyMap<string, Buffer> => {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < bytes.byteLength; ) {
    const space = bytes.indexOf(0x20, at);
    const digits = space < 0 ? '' : bytes.toString('latin1', at, space);
    const end = at + (/^[1-9]\d{0,9}$/.test(digits) ? Number(digits) : 0);
    const equals = bytes.indexOf(0x3d, space);
    if (end <= space || end > bytes.byteLength || bytes[end - 1] !== 0x0a || equals < 0 || equals >= end)
      throw broken('has an extended header that cannot be read');
    const key = bytes.toString('utf8', space + 1, equals);
    const value = bytes.subarray(equals + 1, end - 1);
    if (MAP_KEYS.has(key)) addToMap(records, value);
    else records.set(key, value);
    at = end;
  }
  return records;
};

/** The first form of sparse files repeats two records; later ones have them in one. */
const MAP_KEYS = new Set(['GNU.sparse.offset', 'GNU.sparse.numbytes']);
const MAP = 'GNU.sparse.map';

const addToMap = (records: Map<string, Buffer>, value: Buffer): void => {
  const before = records.get(MAP);
  records.set(MAP, before === undefined ? value : Buffer.concat([before, Buffer.from(','), value]));
};

/** One record of an extended header as bytes. */
export const paxRecord = (key: string, value: string): Buffer => {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  // The number counts its own digits, and one more may push it over the next power of ten.
  if (String(length).length !== String(bytes).length) length = bytes + String(length).length;
  return Buffer.from(`${length}${rest}`);
};
