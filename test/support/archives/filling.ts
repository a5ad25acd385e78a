import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The content of an entry, packed without ever holding all of it: a bomb of a gigabyte must cost a test nothing. */
export interface Filling {
  readonly size: number;
  readonly checksum: number;
  deflated(): Buffer;
  /** Packed so that more may follow. */
  openDeflated(): Buffer;
  stored(): Buffer;
}

const PIECE_BYTES = 1024 * 1024;

/** Some bytes. */
export const fillingOf = (bytes: Buffer): Filling => ({
  size: bytes.byteLength,
  checksum: crc32(bytes),
  deflated: () => deflateRawSync(bytes),
  openDeflated: () => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH }),
  stored: () => bytes,
});

/** One character many times. */
export const repeated = (character: string, count: number): Filling => {
  const piece = Buffer.alloc(PIECE_BYTES, character);
  const rest = piece.subarray(0, count % PIECE_BYTES);
  const pieces = Math.floor(count / PIECE_BYTES);
  let checksum = 0;
  for (let at = 0; at < pieces; at += 1) checksum = crc32(piece, checksum);
  const openDeflated = () => {
    // Each piece looks back at nothing but itself, so one packed piece can stand for all.
    const packed = deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
    return Buffer.concat([...Array.from({ length: pieces }, () => packed), deflateRawSync(rest, { finishFlush: constants.Z_FULL_FLUSH })]);
  };
  return {
    size: count,
    checksum: crc32(rest, checksum),
    deflated: () => Buffer.concat([openDeflated(), deflateRawSync(Buffer.alloc(0))]),
    openDeflated,
    stored: () => Buffer.alloc(count, character),
  };
};
