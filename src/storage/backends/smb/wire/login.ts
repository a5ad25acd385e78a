import type { Dialect } from '../security/keys.ts';
import { demandBytes, malformed, sliceOf, utf16 } from './bytes.ts';
import { COMMAND, HEADER_BYTES } from './header.ts';
import { type Answer, bodyOf, newBody, type Request } from './message.ts';
import { type Agreement, CAPABILITIES, DIALECTS, SECURITY_MODE } from './negotiate.ts';

export const sessionSetupRequest = (token: Buffer): Request => {
  const body = newBody(25, 24);
  body.writeUInt8(SECURITY_MODE, 3);
  body.writeUInt16LE(HEADER_BYTES + 24, 12);
  body.writeUInt16LE(token.byteLength, 14);
  return { command: COMMAND.sessionSetup, body: Buffer.concat([body, token]) };
};

export interface SetupAnswer {
  /** Nobody in particular was let in: a guest, or an anonymous session. */
  readonly isNobody: boolean;
  /** The server demands encryption. */
  readonly isSealed: boolean;
  readonly token: Buffer;
}

export const readSetupAnswer = (answer: Answer): SetupAnswer => {
  const body = bodyOf(answer, 9, 'an answer to a login');
  const flags = body.readUInt16LE(2);
  return {
    isNobody: (flags & 3) !== 0,
    isSealed: (flags & 4) !== 0,
    token: sliceOf(answer.message, body.readUInt16LE(4), body.readUInt16LE(6), 'an answer to a login'),
  };
};

export const treeConnectRequest = (host: string, share: string): Request => {
  const path = utf16(`\\\\${host}\\${share}`);
  const body = newBody(9, 8);
  body.writeUInt16LE(HEADER_BYTES + 8, 4);
  body.writeUInt16LE(path.byteLength, 6);
  return { command: COMMAND.treeConnect, body: Buffer.concat([body, path]) };
};

export interface TreeAnswer {
  readonly isDisk: boolean;
  /** The share demands encryption. */
  readonly isSealed: boolean;
}

export const readTreeAnswer = (answer: Answer): TreeAnswer => {
  const body = bodyOf(answer, 16, 'an answer about a share');
  return { isDisk: body.readUInt8(2) === 1, isSealed: (body.readUInt32LE(4) & 0x8000) !== 0 };
};

/** A request of four bytes that only names its command. */
export const bareRequest = (command: 'logoff' | 'treeDisconnect' | 'echo' | 'cancel'): Request => ({
  command: COMMAND[command],
  body: newBody(4, 4),
});

const VALIDATE_NEGOTIATE = 0x0014_0204;
const NO_FILE = Buffer.alloc(16, 0xff);

/** Has the server repeat under a signature what it said of itself before there was one. 3.1.1 needs no such question. */
export const validateRequest = (guid: Buffer): Request => {
  const input = Buffer.alloc(24 + 2 * DIALECTS.length);
  input.writeUInt32LE(CAPABILITIES, 0);
  guid.copy(input, 4);
  input.writeUInt16LE(SECURITY_MODE, 20);
  input.writeUInt16LE(DIALECTS.length, 22);
  DIALECTS.forEach((dialect, at) => {
    input.writeUInt16LE(dialect, 24 + at * 2);
  });
  const body = newBody(57, 56);
  body.writeUInt32LE(VALIDATE_NEGOTIATE, 4);
  NO_FILE.copy(body, 8);
  body.writeUInt32LE(HEADER_BYTES + 56, 24);
  body.writeUInt32LE(input.byteLength, 28);
  body.writeUInt32LE(24, 44);
  body.writeUInt32LE(1, 48);
  return { command: COMMAND.ioctl, body: Buffer.concat([body, input]) };
};

/** Refuses a server that says something else than before: somebody on the way has changed the first messages. */
export const demandSame = (answer: Answer, agreed: Agreement): void => {
  const body = bodyOf(answer, 49, 'an answer about what was agreed');
  const output = sliceOf(answer.message, body.readUInt32LE(32), body.readUInt32LE(36), 'an answer about what was agreed');
  demandBytes(output, 24, 'an answer about what was agreed');
  const isSame =
    output.readUInt32LE(0) === agreed.capabilities &&
    output.subarray(4, 20).equals(agreed.guid) &&
    output.readUInt16LE(20) === agreed.securityMode &&
    (output.readUInt16LE(22) as Dialect) === agreed.dialect; // only compared
  if (!isSame) throw malformed('first messages that were changed on their way');
};
