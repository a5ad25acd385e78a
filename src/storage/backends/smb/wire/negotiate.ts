import { SMBException } from '../../../../core/errors.ts';
import type { Dialect } from '../security/keys.ts';
import type { CipherName } from '../security/sealing.ts';
import type { SigningName } from '../security/signing.ts';
import { demandBytes, malformed, sliceOf } from './bytes.ts';
import { COMMAND, HEADER_BYTES } from './header.ts';
import { type Answer, bodyOf, newBody, type Request } from './message.ts';

/** What both sides say of themselves before anybody has logged in. */
export interface Hello {
  readonly guid: Buffer;
  readonly salt: Buffer;
}

export const DIALECTS: readonly Dialect[] = [0x0210, 0x0300, 0x0302, 0x0311];
/** Signing is there and demanded. */
export const SECURITY_MODE = 3;
/** Large messages and encryption. */
export const CAPABILITIES = 0x44;
const CAPABILITY = { largeMtu: 0x04, encryption: 0x40 } as const;
const CONTEXT = { preauth: 1, encryption: 2, signing: 8 } as const;
const SHA_512 = 1;

/** In the order in which they are preferred: the fastest first; a server that demands 256 bits takes those. */
const CIPHERS: readonly (readonly [number, CipherName])[] = [
  [2, 'aes-128-gcm'],
  [4, 'aes-256-gcm'],
  [1, 'aes-128-ccm'],
  [3, 'aes-256-ccm'],
];
const SIGNINGS: readonly (readonly [number, SigningName])[] = [
  [2, 'aes-gmac'],
  [1, 'aes-cmac'],
];

export const negotiateRequest = ({ guid, salt }: Hello): Request => {
  const contexts = [
    context(CONTEXT.preauth, Buffer.concat([numbers([1, salt.byteLength, SHA_512]), salt])),
    context(CONTEXT.encryption, numbers([CIPHERS.length, ...CIPHERS.map(([id]) => id)])),
    context(CONTEXT.signing, numbers([SIGNINGS.length, ...SIGNINGS.map(([id]) => id)])),
  ];
  const contextsAt = padded8(36 + 2 * DIALECTS.length);
  const body = newBody(36, contextsAt);
  body.writeUInt16LE(DIALECTS.length, 2);
  body.writeUInt16LE(SECURITY_MODE, 4);
  body.writeUInt32LE(CAPABILITIES, 8);
  guid.copy(body, 12);
  body.writeUInt32LE(HEADER_BYTES + contextsAt, 28);
  body.writeUInt16LE(contexts.length, 32);
  numbers(DIALECTS).copy(body, 36);
  return { command: COMMAND.negotiate, body: Buffer.concat([body, ...contexts]) };
};

/** What was agreed. */
export interface Agreement {
  readonly dialect: Dialect;
  readonly signing: SigningName;
  /** Undefined where the server cannot encrypt. */
  readonly cipher: CipherName | undefined;
  readonly maxRead: number;
  readonly maxWrite: number;
  readonly maxTransact: number;
  /** Messages may be larger than 64 KiB, and are paid for by size. */
  readonly isLarge: boolean;
  /** How the server wants logins wrapped; empty where it does not say. */
  readonly securityOffer: Buffer;
  /** To be compared later with what it says under a signature. */
  readonly guid: Buffer;
  readonly capabilities: number;
  readonly securityMode: number;
}

export const readNegotiateAnswer = (answer: Answer): Agreement => {
  const body = bodyOf(answer, 65, 'an answer to the first message');
  const dialect = DIALECTS.find((each) => each === body.readUInt16LE(4));
  if (dialect === undefined) throw tooOld();
  const capabilities = body.readUInt32LE(24);
  const isLarge = (capabilities & CAPABILITY.largeMtu) !== 0;
  const agreed =
    dialect === 0x0311
      ? readContexts(answer.message, body.readUInt32LE(60), body.readUInt16LE(6))
      : { signing: dialect === 0x0210 ? ('hmac-sha256' as const) : ('aes-cmac' as const), cipher: olderCipher(dialect, capabilities) };
  return {
    ...agreed,
    dialect,
    isLarge,
    maxTransact: sizeOf(body, 28, isLarge),
    maxRead: sizeOf(body, 32, isLarge),
    maxWrite: sizeOf(body, 36, isLarge),
    securityOffer: sliceOf(answer.message, body.readUInt16LE(56), body.readUInt16LE(58), 'an answer to the first message'),
    guid: body.subarray(8, 24),
    capabilities,
    securityMode: body.readUInt16LE(2),
  };
};

/** The refusal of servers that speak nothing newer than SMB 1 or 2.0.2. */
export const tooOld = (): SMBException =>
  new SMBException('The server speaks only an old SMB (1 or 2.0.2), which is not safe; allow SMB 2.1 or newer there.', {
    context: { code: 'unsupported' },
  });

const olderCipher = (dialect: Dialect, capabilities: number): CipherName | undefined =>
  dialect !== 0x0210 && (capabilities & CAPABILITY.encryption) !== 0 ? 'aes-128-ccm' : undefined;

/** One credit pays for 64 KiB; less than that no server may offer. */
const CREDIT_BYTES = 65_536;

const sizeOf = (body: Buffer, at: number, isLarge: boolean): number => {
  const size = body.readUInt32LE(at);
  if (size < CREDIT_BYTES) throw malformed('a limit for messages that is below what the protocol demands');
  return isLarge ? size : CREDIT_BYTES;
};

const readContexts = (
  message: Buffer,
  start: number,
  count: number,
): { readonly signing: SigningName; readonly cipher: CipherName | undefined } => {
  let signing: SigningName = 'aes-cmac';
  let cipher: CipherName | undefined;
  let hasPreauth = false;
  for (let n = 0, at = start; n < count; n += 1) {
    const head = sliceOf(message, at, 8, 'an answer to the first message');
    const data = sliceOf(message, at + 8, head.readUInt16LE(2), 'an answer to the first message');
    const type = head.readUInt16LE(0);
    if (type === CONTEXT.preauth) {
      demandBytes(data, 6, 'an answer to the first message');
      if (hasPreauth || data.readUInt16LE(0) !== 1 || data.readUInt16LE(4) !== SHA_512) throw malformed('a digest that was not offered');
      hasPreauth = true;
    } else if (type === CONTEXT.encryption) cipher = chosen(data, CIPHERS);
    else if (type === CONTEXT.signing) signing = chosen(data, SIGNINGS) ?? 'aes-cmac';
    at = padded8(at + 8 + data.byteLength);
  }
  if (!hasPreauth) throw malformed('an answer without the digest that 3.1.1 demands');
  return { signing, cipher };
};

/** The one of our offers that the server took; 0 is none. */
const chosen = <T>(data: Buffer, offers: readonly (readonly [number, T])[]): T | undefined => {
  demandBytes(data, 4, 'an answer to the first message');
  const id = data.readUInt16LE(2);
  const found = offers.find(([each]) => each === id);
  if (data.readUInt16LE(0) !== 1 || (found === undefined && id !== 0)) throw malformed('a choice that was not offered');
  return found?.[1];
};

const context = (type: number, data: Buffer): Buffer => {
  const bytes = Buffer.alloc(padded8(8 + data.byteLength));
  bytes.writeUInt16LE(type, 0);
  bytes.writeUInt16LE(data.byteLength, 2);
  data.copy(bytes, 8);
  return bytes;
};

const numbers = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => {
    bytes.writeUInt16LE(value, at * 2);
  });
  return bytes;
};

const padded8 = (bytes: number): number => Math.ceil(bytes / 8) * 8;
