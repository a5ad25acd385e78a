import { ftruncateSync, writeSync } from 'node:fs';

/**
 * Appends all bytes to an open file of a known size, or none: what a full disk took of them is cut off again, so that the next ones do not
 * stand behind half of these. Answers the new size.
 */
export const appendWhole = (file: number, bytes: Uint8Array, size: number): number => {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (fault) {
    ftruncateSync(file, size);
    throw fault;
  }
  return size + bytes.length;
};
