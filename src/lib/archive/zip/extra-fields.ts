import { dosTimeMs, windowsTimeMs } from '../dos-time.ts';

/** The extra fields of an entry by number; what does not fit its length is left out, as are repetitions. */
export const extraFields = (bytes: Buffer): ReadonlyMap<number, Buffer> => {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.byteLength; ) {
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (end > bytes.byteLength) break;
    const id = bytes.readUInt16LE(at);
    if (!fields.has(id)) fields.set(id, bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
};

/** The exact time from an extra field, else the DOS time, which is local and even. */
export const mtimeFrom = (fields: ReadonlyMap<number, Buffer>, dosDate: number, dosTime: number): number => {
  const unix = fields.get(0x5455);
  if (unix !== undefined && unix.byteLength >= 5 && ((unix[0] ?? 0) & 1) !== 0) return unix.readInt32LE(1) * 1000;
  const ntfs = fields.get(0x000a);
  if (ntfs !== undefined && ntfs.byteLength >= 16 && ntfs.readUInt16LE(4) === 1) return windowsTimeMs(ntfs.readBigUInt64LE(8));
  // What Info-ZIP wrote at first, macOS still writes and PKWARE has for Unix: times of access and change, then perhaps owners.
  const old = fields.get(0x5855) ?? fields.get(0x000d);
  if (old !== undefined && old.byteLength >= 8) return old.readInt32LE(4) * 1000;
  return dosTimeMs(dosDate, dosTime);
};
