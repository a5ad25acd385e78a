import { demandBytes, malformed, readCount, writeCount } from './bytes.ts';

/** The commands of SMB 2 and 3 that this client sends, and the one that it may be told unasked. */
export const COMMAND = {
  negotiate: 0,
  sessionSetup: 1,
  logoff: 2,
  treeConnect: 3,
  treeDisconnect: 4,
  create: 5,
  close: 6,
  flush: 7,
  read: 8,
  write: 9,
  ioctl: 11,
  cancel: 12,
  echo: 13,
  queryDirectory: 14,
  queryInfo: 16,
  setInfo: 17,
} as const;

export const HEADER_BYTES = 64;
const SIGNATURE_AT = 48;

export const FLAG = { response: 1, async: 2, related: 4, signed: 8 } as const;

/** What message ids begin with that no request has: the server says something unasked. */
export const UNASKED = Symbol('unasked');

/** The fields of a header that this client looks at. */
export interface Header {
  readonly status: number;
  readonly command: number;
  readonly credits: number;
  readonly flags: number;
  /** Where the next message of the same frame begins; 0 for the last. */
  readonly next: number;
  readonly messageId: number | typeof UNASKED;
  /** Of an answer that comes later. */
  readonly asyncId: bigint;
  readonly treeId: number;
  readonly sessionId: bigint;
}

export const readHeader = (message: Buffer): Header => {
  demandBytes(message, HEADER_BYTES, 'a message');
  if (message.readUInt32BE(0) !== MAGIC.plain || message.readUInt16LE(4) !== HEADER_BYTES) throw malformed('something that is no message');
  const flags = message.readUInt32LE(16);
  if ((flags & FLAG.response) === 0) throw malformed('a request, where only answers are awaited');
  return {
    status: message.readUInt32LE(8),
    command: message.readUInt16LE(12),
    credits: message.readUInt16LE(14),
    flags,
    next: message.readUInt32LE(20),
    messageId: message.readBigUInt64LE(24) === 0xffff_ffff_ffff_ffffn ? UNASKED : readCount(message, 24),
    asyncId: (flags & FLAG.async) === 0 ? 0n : message.readBigUInt64LE(32),
    treeId: message.readUInt32LE(36),
    sessionId: message.readBigUInt64LE(40),
  };
};

/** How frames begin, read as a big-endian number. */
export const MAGIC = { plain: 0xfe53_4d42, sealed: 0xfd53_4d42, compressed: 0xfc53_4d42, smb1: 0xff53_4d42 } as const;

export interface RequestHeader {
  readonly command: number;
  readonly charge: number;
  readonly credits: number;
  readonly flags: number;
  readonly next: number;
  readonly messageId: number;
  readonly treeId: number;
  readonly sessionId: bigint;
  /** Set where a request that is answered later is named. */
  readonly asyncId?: bigint;
}

/** Writes a header at the beginning of a message; its signature stays empty. */
export const writeHeader = (message: Buffer, header: RequestHeader): void => {
  message.writeUInt32BE(MAGIC.plain, 0);
  message.writeUInt16LE(HEADER_BYTES, 4);
  message.writeUInt16LE(header.charge, 6);
  message.writeUInt32LE(0, 8);
  message.writeUInt16LE(header.command, 12);
  message.writeUInt16LE(header.credits, 14);
  message.writeUInt32LE(header.flags, 16);
  message.writeUInt32LE(header.next, 20);
  writeCount(message, header.messageId, 24);
  if (header.asyncId === undefined) {
    message.writeUInt32LE(0, 32);
    message.writeUInt32LE(header.treeId, 36);
  } else message.writeBigUInt64LE(header.asyncId, 32);
  message.writeBigUInt64LE(header.sessionId, 40);
  message.fill(0, SIGNATURE_AT, HEADER_BYTES);
};

export const signatureOf = (message: Buffer): Buffer => message.subarray(SIGNATURE_AT, HEADER_BYTES);
