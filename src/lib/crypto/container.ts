import { CryptoException } from '../../core/errors.ts';

/** What stands in clear at the start of an encrypted file. docs/explanation/encrypted-files.md shows it byte by byte. */
export interface Header {
  /** 1: the whole file is one ciphertext, as the older tool wrote it. 2: chunks. */
  readonly version: 1 | 2;
  /** Bytes of plaintext in a chunk; all but the last are full. */
  readonly chunkBytes: number;
  readonly nonce: Buffer;
  readonly associatedData: Buffer;
  /** The header as it stands in the file, associated data included. */
  readonly bytes: Buffer;
}

const MAGIC = Buffer.from('FA-AESG');
const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
/** The header without associated data. */
export const FIXED_BYTES = MAGIC.length + 1 + 1 + 4 + NONCE_BYTES;
/** Associated data is read into memory whole. */
export const MAX_ASSOCIATED_BYTES = 1024 * 1024;
/** Chunks from 4 KiB to 16 MiB. */
const CHUNK_BITS = { least: 12, most: 24 } as const;
/** 1 MiB: large enough to be fast, small enough to hold several. */
const DEFAULT_CHUNK_BITS = 20;

/** Writes the header of a new file. */
export const createHeader = ({
  nonce,
  associatedData,
  chunkBits = DEFAULT_CHUNK_BITS,
}: {
  readonly nonce: Buffer;
  readonly associatedData: Uint8Array;
  readonly chunkBits?: number;
}): Header => {
  const lengths = Buffer.from([2, chunkBits, 0, 0, 0, 0]);
  lengths.writeUInt32BE(associatedData.byteLength, 2);
  const bytes = Buffer.concat([MAGIC, lengths, nonce, associatedData]);
  return { version: 2, chunkBytes: 2 ** chunkBits, nonce, associatedData: bytes.subarray(FIXED_BYTES), bytes };
};

/** Length of the whole header, from its fixed part; refuses what is no encrypted file or of a version to come. */
export const headerBytes = (fixed: Buffer): number => {
  if (fixed.length < FIXED_BYTES || !fixed.subarray(0, MAGIC.length).equals(MAGIC)) throw notEncrypted();
  const associated = fixed.readUInt32BE(MAGIC.length + 2);
  if (associated > MAX_ASSOCIATED_BYTES) throw damaged();
  return FIXED_BYTES + associated;
};

/** Reads a whole header. */
export const parseHeader = (bytes: Buffer): Header => {
  if (bytes.length !== headerBytes(bytes)) throw damaged();
  const version = bytes[MAGIC.length] ?? 0;
  const flags = bytes[MAGIC.length + 1] ?? 0;
  const parts = { nonce: bytes.subarray(FIXED_BYTES - NONCE_BYTES, FIXED_BYTES), associatedData: bytes.subarray(FIXED_BYTES), bytes };
  if (version === 1 && flags === 0) return { version, chunkBytes: 0, ...parts };
  if (version === 2 && flags >= CHUNK_BITS.least && flags <= CHUNK_BITS.most) return { version, chunkBytes: 2 ** flags, ...parts };
  if (version === 1 || version === 2) throw damaged();
  throw new CryptoException(`The file has format version ${version}, which is newer than this program; update it.`, {
    context: { version },
  });
};

/** How many chunks hold so many bytes of plaintext; an empty file has one, which is empty. */
export const chunksFor = (plainBytes: number, chunkBytes: number): number => Math.max(1, Math.ceil(plainBytes / chunkBytes));

/** The size of a file of chunks. */
export const sealedBytes = (plainBytes: number, { bytes, chunkBytes }: Header): number =>
  bytes.length + plainBytes + chunksFor(plainBytes, chunkBytes) * TAG_BYTES;

/** The plaintext that a file of chunks holds, from its size; refuses a size that no file has. */
export const openedBytes = (fileBytes: number, { bytes, chunkBytes }: Header): number => {
  const body = fileBytes - bytes.length;
  const chunks = Math.max(1, Math.ceil(body / (chunkBytes + TAG_BYTES)));
  const plainBytes = body - chunks * TAG_BYTES;
  if (plainBytes < 0 || chunksFor(plainBytes, chunkBytes) !== chunks) throw damaged();
  return plainBytes;
};

const notEncrypted = () => new CryptoException('The file is not one that FA_encrypt_file wrote; check the path.');

/** The error of a file that cannot be what was written. Which part is wrong is not told: it would help whoever changed it. */
export const damaged = () => new CryptoException('The file is damaged, cut short or changed; get a good copy of it.');

export const shrunk = (path: string): CryptoException =>
  new CryptoException(`${path} became shorter while it was encrypted; try again when nobody writes to it.`, {
    context: { path },
    retryable: true,
  });
