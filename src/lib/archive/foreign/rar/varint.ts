import { broken } from '../../broken.ts';
import type { Fields } from '../fields.ts';

/** A number of newer rar archives: seven bits in each byte, the lowest first. */
export const varint = (fields: Fields): number => {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = fields.u8();
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) {
      if (value > Number.MAX_SAFE_INTEGER) break;
      return value;
    }
  }
  throw broken('is a damaged or cut rar file');
};
