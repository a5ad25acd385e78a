import { demandBytes, malformed, readCount, sliceOf, utf16, writeCount } from './bytes.ts';
import { COMMAND, HEADER_BYTES } from './header.ts';
import { type Answer, bodyOf, newBody, type Request } from './message.ts';

/** What a handle may be used for. */
export const ACCESS = {
  readData: 0x1,
  writeData: 0x2,
  readAttributes: 0x80,
  writeAttributes: 0x100,
  delete: 0x1_0000,
  synchronize: 0x10_0000,
} as const;

/** What others may do meanwhile. */
export const SHARE = { read: 1, write: 2, delete: 4 } as const;
/** What to do where something is there, or nothing. */
export const DISPOSITION = { open: 1, create: 2, openIf: 3 } as const;
export const OPTION = { directory: 0x1, file: 0x40, reparsePoint: 0x20_0000 } as const;
export const ATTRIBUTE = { directory: 0x10, reparsePoint: 0x400 } as const;

/** A file that is open; inside a compound the one that its first request opens. */
export type FileId = Buffer;
export const SAME_FILE: FileId = Buffer.alloc(16, 0xff);

export interface CreateOptions {
  /** From the top of the share, with backslashes. */
  readonly name: string;
  readonly access: number;
  readonly share?: number;
  readonly disposition: number;
  readonly options: number;
}

export const createRequest = ({ name, access, share = 7, disposition, options }: CreateOptions): Request => {
  const encoded = utf16(name);
  const body = newBody(57, 56 + Math.max(1, encoded.byteLength));
  body.writeUInt32LE(2, 4); // impersonation
  body.writeUInt32LE(access, 24);
  body.writeUInt32LE((options & OPTION.directory) === 0 ? 0x80 : ATTRIBUTE.directory, 28);
  body.writeUInt32LE(share, 32);
  body.writeUInt32LE(disposition, 36);
  body.writeUInt32LE(options, 40);
  body.writeUInt16LE(HEADER_BYTES + 56, 44);
  body.writeUInt16LE(encoded.byteLength, 46);
  encoded.copy(body, 56);
  return { command: COMMAND.create, body };
};

/** What the server knows of a file. */
export interface FileFacts {
  readonly bytes: number;
  readonly modified: bigint;
  readonly changed: bigint;
  readonly attributes: number;
}

export const readCreateAnswer = (answer: Answer): FileFacts & { readonly id: FileId } => {
  const body = bodyOf(answer, 89, 'an answer about a file');
  return { ...factsAt(body, 8), id: Buffer.from(body.subarray(64, 80)) }; // a copy: the frame is not kept for it
};

/** Tells the file's facts once more where asked to: they are final then. */
export const closeRequest = (id: FileId, { tell = false } = {}): Request => {
  const body = newBody(24, 24);
  body.writeUInt16LE(tell ? 1 : 0, 2);
  id.copy(body, 8);
  return { command: COMMAND.close, body };
};

export const readCloseAnswer = (answer: Answer): FileFacts => factsAt(bodyOf(answer, 60, 'an answer about a file'), 8);

/** Creation, access, write and change time, allocation, end of file, attributes: in this order wherever they come. */
const factsAt = (body: Buffer, at: number): FileFacts => ({
  modified: body.readBigUInt64LE(at + 16),
  changed: body.readBigUInt64LE(at + 24),
  bytes: readCount(body, at + 40),
  attributes: body.readUInt32LE(at + 48),
});

export const readRequest = (id: FileId, offset: number, length: number): Request => {
  const body = newBody(49, 49);
  body.writeUInt8(HEADER_BYTES + 16, 2);
  body.writeUInt32LE(length, 4);
  writeCount(body, offset, 8);
  id.copy(body, 16);
  return { command: COMMAND.read, body, payload: length };
};

/** The bytes of an answer, at most so many. */
export const readReadAnswer = (answer: Answer, length: number): Buffer => {
  const body = bodyOf(answer, 17, 'an answer to a read');
  const data = sliceOf(answer.message, body.readUInt8(2), body.readUInt32LE(4), 'an answer to a read');
  if (data.byteLength > length || data.byteLength === 0) throw malformed('another number of bytes than it was asked for');
  return data;
};

/** `data` goes out as it is; it must not change before the answer. */
export const writeRequest = (id: FileId, offset: number, data: Buffer): Request => {
  const body = newBody(49, 48);
  body.writeUInt16LE(HEADER_BYTES + 48, 2);
  body.writeUInt32LE(data.byteLength, 4);
  writeCount(body, offset, 8);
  id.copy(body, 16);
  return { command: COMMAND.write, body, data, payload: data.byteLength };
};

/** How many bytes the server took. */
export const readWriteAnswer = (answer: Answer): number => bodyOf(answer, 17, 'an answer to a write').readUInt32LE(4);

export const flushRequest = (id: FileId): Request => {
  const body = newBody(24, 24);
  id.copy(body, 8);
  return { command: COMMAND.flush, body };
};

const FILE_INFO = 1;
const INFO = { basic: 4, internal: 6, rename: 10, disposition: 13, endOfFile: 20, attributeTag: 35 } as const;

const queryRequest = (id: FileId, level: number, bytes: number): Request => {
  const body = newBody(41, 40);
  body.writeUInt8(FILE_INFO, 2);
  body.writeUInt8(level, 3);
  body.writeUInt32LE(bytes, 4);
  id.copy(body, 24);
  return { command: COMMAND.queryInfo, body };
};

const outputOf = (answer: Answer, bytes: number): Buffer => {
  const body = bodyOf(answer, 9, 'an answer about a file');
  const output = sliceOf(answer.message, body.readUInt16LE(2), body.readUInt32LE(4), 'an answer about a file');
  demandBytes(output, bytes, 'an answer about a file');
  return output;
};

/** Asks for the number that the file system knows a file by. */
export const indexRequest = (id: FileId): Request => queryRequest(id, INFO.internal, 8);
export const readIndexAnswer = (answer: Answer): bigint => outputOf(answer, 8).readBigUInt64LE(0);

/** Asks what kind of a link something is. */
export const tagRequest = (id: FileId): Request => queryRequest(id, INFO.attributeTag, 8);
export const readTagAnswer = (answer: Answer): number => outputOf(answer, 8).readUInt32LE(4);

const setRequest = (id: FileId, level: number, input: Buffer): Request => {
  const body = newBody(33, 32);
  body.writeUInt8(FILE_INFO, 2);
  body.writeUInt8(level, 3);
  body.writeUInt32LE(input.byteLength, 4);
  body.writeUInt16LE(HEADER_BYTES + 32, 8);
  id.copy(body, 16);
  return { command: COMMAND.setInfo, body: Buffer.concat([body, input]) };
};

export const renameRequest = (id: FileId, name: string, { replace }: { readonly replace: boolean }): Request => {
  const encoded = utf16(name);
  const input = Buffer.alloc(20 + encoded.byteLength);
  input.writeUInt8(replace ? 1 : 0, 0);
  input.writeUInt32LE(encoded.byteLength, 16);
  encoded.copy(input, 20);
  return setRequest(id, INFO.rename, input);
};

export const deleteRequest = (id: FileId): Request => setRequest(id, INFO.disposition, Buffer.from([1]));

export const modifiedRequest = (id: FileId, modified: bigint): Request => {
  const input = Buffer.alloc(40); // times of 0 stay as they are
  input.writeBigUInt64LE(modified, 16);
  return setRequest(id, INFO.basic, input);
};

export const endOfFileRequest = (id: FileId, bytes: number): Request => {
  const input = Buffer.alloc(8);
  writeCount(input, bytes, 0);
  return setRequest(id, INFO.endOfFile, input);
};
