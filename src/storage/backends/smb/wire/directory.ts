import { malformed, readCount, sliceOf, utf16 } from './bytes.ts';
import type { FileFacts, FileId } from './files.ts';
import { COMMAND, HEADER_BYTES } from './header.ts';
import { type Answer, bodyOf, newBody, type Request } from './message.ts';

/** Names, facts and file numbers of entries (FileIdBothDirectoryInformation). */
const LEVEL = 37;

/** Asks for the next entries of an open directory that match. */
export const queryDirectoryRequest = (id: FileId, pattern: string, bytes: number): Request => {
  const encoded = utf16(pattern);
  const body = newBody(33, 32);
  body.writeUInt8(LEVEL, 2);
  id.copy(body, 8);
  body.writeUInt16LE(HEADER_BYTES + 32, 24);
  body.writeUInt16LE(encoded.byteLength, 26);
  body.writeUInt32LE(bytes, 28);
  return { command: COMMAND.queryDirectory, body: Buffer.concat([body, encoded]), payload: bytes };
};

export interface DirectoryEntry extends FileFacts {
  readonly name: string;
  /** The number that the file system knows it by. */
  readonly index: bigint;
  /** What kind of a link it is; only where its attributes say that it is one. */
  readonly reparseTag: number;
}

const FIXED_BYTES = 104;

/** The entries of one answer, as the server names them: whoever uses a name judges it first. */
export const readEntries = (answer: Answer): DirectoryEntry[] => {
  const body = bodyOf(answer, 9, 'a list of a directory');
  const output = sliceOf(answer.message, body.readUInt16LE(2), body.readUInt32LE(4), 'a list of a directory');
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at < output.byteLength; ) {
    const fixed = sliceOf(output, at, FIXED_BYTES, 'an entry of a directory');
    const next = fixed.readUInt32LE(0);
    entries.push({
      modified: fixed.readBigUInt64LE(24),
      changed: fixed.readBigUInt64LE(32),
      bytes: readCount(fixed, 40),
      attributes: fixed.readUInt32LE(56),
      reparseTag: fixed.readUInt32LE(64),
      index: fixed.readBigUInt64LE(96),
      name: sliceOf(output, at + FIXED_BYTES, fixed.readUInt32LE(60), 'an entry of a directory').toString('utf16le'),
    });
    if (next === 0) break;
    if (next < FIXED_BYTES || at + next > output.byteLength) throw malformed('entries of a directory that overlap or end outside');
    at += next;
  }
  return entries;
};
