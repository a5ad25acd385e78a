import { SMBException } from '../../../../core/errors.ts';

/** The refusal of an answer that the protocol does not allow: nothing of it is used. */
export const malformed = (what: string): SMBException =>
  new SMBException(`The SMB server sent ${what}, which is not used; check that it is an SMB server and what is on the way to it.`, {
    context: { code: 'broken' },
  });

/** Refuses a message that is too short for what is read from it next. */
export const demandBytes = (bytes: Buffer, length: number, what: string): void => {
  if (bytes.byteLength < length) throw malformed(`${what} that is cut short`);
};

/** A stretch of a message; what lies outside of it is refused, where `subarray` would cut silently. */
export const sliceOf = (bytes: Buffer, at: number, length: number, what: string): Buffer => {
  if (at + length > bytes.byteLength) throw malformed(`${what} that ends outside of its message`);
  return bytes.subarray(at, at + length);
};

/** An unsigned number of 64 bits that counts bytes or messages: what a double cannot hold is no such count. */
export const readCount = (bytes: Buffer, at: number): number => {
  const high = bytes.readUInt32LE(at + 4);
  if (high > 0x1f_ffff) throw malformed('a number that counts nothing there is');
  return high * 0x1_0000_0000 + bytes.readUInt32LE(at);
};

export const writeCount = (bytes: Buffer, value: number, at: number): void => {
  bytes.writeUInt32LE(value % 0x1_0000_0000, at);
  bytes.writeUInt32LE(Math.floor(value / 0x1_0000_0000), at + 4);
};

export const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** 100 nanoseconds since 1601, in milliseconds since 1970. */
const EPOCH_MS = 11_644_473_600_000;

export const msOfFiletime = (filetime: bigint): number => Number(filetime / 10_000n) - EPOCH_MS;
export const filetimeOfMs = (ms: number): bigint => BigInt(Math.trunc(ms) + EPOCH_MS) * 10_000n;
