import { createHash, createHmac } from 'node:crypto';
import { SMBException } from '../../../../core/errors.ts';
import { demandBytes, filetimeOfMs, malformed, sliceOf, utf16 } from '../wire/bytes.ts';
import { md4 } from './md4.ts';
import { rc4 } from './rc4.ts';

/** Who logs in. An empty user means nobody: an anonymous session. */
export interface Credentials {
  readonly user: string;
  readonly domain: string;
  readonly password: string;
}

/** What is asked of the server: Unicode, its name, signing, extended security, a key of our own, 128 bits. */
const FLAGS = 0xe208_8235 | 0;
const FLAG_TARGET_INFO = 0x0080_0000;
const FLAG_EXTENDED = 0x0008_0000;
const FLAG_KEY_EXCHANGE = 0x4000_0000;
const FLAG_128 = 0x2000_0000;
const FLAG_56 = 0x8000_0000 | 0;
const FLAG_UNICODE = 1;
const FLAG_ANONYMOUS = 0x0800;
const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1');
const VERSION = Buffer.from([10, 0, 0, 0, 0, 0, 0, 15]); // servers log it; only its last byte, the revision of NTLM, means something

export const isNtlm = (token: Buffer): boolean => token.subarray(0, 8).equals(SIGNATURE);

/** The first message. */
export const ntlmNegotiate = (): Buffer => {
  const message = Buffer.alloc(40);
  SIGNATURE.copy(message);
  message.writeUInt32LE(1, 8);
  message.writeInt32LE(FLAGS | FLAG_TARGET_INFO, 12);
  VERSION.copy(message, 32);
  return message;
};

/** The server's answer to it, as far as it is used. */
export interface Challenge {
  readonly flags: number;
  readonly nonce: Buffer;
  readonly targetInfo: Buffer;
}

export const readChallenge = (message: Buffer): Challenge => {
  demandBytes(message, 48, 'a login message');
  if (!isNtlm(message) || message.readUInt32LE(8) !== 2) throw malformed('a login message that is no challenge');
  const flags = message.readUInt32LE(20);
  const targetInfo = sliceOf(message, message.readUInt32LE(44), message.readUInt16LE(40), 'a login message');
  if ((flags & FLAG_EXTENDED) === 0 || (flags & FLAG_UNICODE) === 0 || targetInfo.byteLength === 0) {
    throw new SMBException(
      'The server only knows an old form of login (before NTLMv2), which is not used because it gives passwords away.',
      {
        context: { code: 'unsupported' },
      },
    );
  }
  return { flags, nonce: message.subarray(24, 32), targetInfo };
};

export interface ChallengeAnswer {
  readonly message: Buffer;
  /** What keys of the session come from. */
  readonly sessionKey: Buffer;
  /** Signs the first text of the login mechanism above this one. */
  sign(text: Buffer): Buffer;
}

export interface AnswerOptions {
  readonly credentials: Credentials;
  /** The host, which the server may compare with its own name. */
  readonly host: string;
  readonly nowMs: number;
  readonly clientNonce: Buffer;
  /** A random key; the server gets it encrypted. */
  readonly freshKey: Buffer;
  /** Both messages before this one, which the last message vouches for. */
  readonly negotiate: Buffer;
  readonly challenge: Buffer;
}

/** The last message: proves that the password is known, and vouches for all three messages (MIC). */
export const answerChallenge = (options: AnswerOptions): ChallengeAnswer => {
  const { credentials, negotiate, challenge, freshKey, clientNonce } = options;
  const { flags, nonce, targetInfo } = readChallenge(challenge);
  const isAnonymous = credentials.user === '';
  const timestamp = avPairs(targetInfo).find(([id]) => id === AV.timestamp)?.[1];
  const key = ntowfv2(credentials);
  const response = ntlmv2Response(key, {
    nonce,
    clientNonce,
    time: timestamp ?? filetimeBytes(options.nowMs),
    targetInfo: withClientPairs(targetInfo, options.host),
  });
  const lm = timestamp === undefined ? Buffer.concat([hmacMd5(key, nonce, clientNonce), clientNonce]) : Buffer.alloc(24);
  const exchangeKey = isAnonymous ? Buffer.alloc(16) : response.sessionBaseKey;
  const hasKeyExchange = (flags & FLAG_KEY_EXCHANGE) !== 0;
  const sessionKey = hasKeyExchange ? freshKey : exchangeKey;
  const message = authenticateMessage({
    flags: (flags & (FLAGS | FLAG_TARGET_INFO)) | (isAnonymous ? FLAG_ANONYMOUS : 0),
    fields: [
      isAnonymous ? Buffer.alloc(1) : lm,
      isAnonymous ? Buffer.alloc(0) : response.bytes,
      utf16(credentials.domain),
      utf16(credentials.user),
      utf16('FACTOTUM'),
      hasKeyExchange ? rc4(exchangeKey, freshKey) : Buffer.alloc(0),
    ],
  });
  hmacMd5(sessionKey, negotiate, challenge, message).copy(message, MIC_AT);
  return { message, sessionKey, sign: (text) => firstSignature(sessionKey, text, flags) };
};

/** The first signature of a client ([MS-NLMP] 3.4.4.2): it counts from zero, and its key stream is used for nothing else. */
export const firstSignature = (sessionKey: Buffer, text: Buffer, flags: number): Buffer => {
  const keyFor = (purpose: string, bytes = 16): Buffer =>
    createHash('md5')
      .update(sessionKey.subarray(0, bytes))
      .update(`session key to client-to-server ${purpose} key magic constant\0`, 'latin1')
      .digest();
  const sealingBytes = (flags & FLAG_128) !== 0 ? 16 : (flags & FLAG_56) !== 0 ? 7 : 5;
  const checksum = hmacMd5(keyFor('signing'), Buffer.alloc(4), text).subarray(0, 8);
  const sealed = (flags & FLAG_KEY_EXCHANGE) === 0 ? checksum : rc4(keyFor('sealing', sealingBytes), checksum);
  return Buffer.concat([Buffer.from([1, 0, 0, 0]), sealed, Buffer.alloc(4)]);
};

/** What a password is in NTLMv2 ([MS-NLMP] 3.3.2). The domain counts as it is written, the user in capitals. */
export const ntowfv2 = ({ user, domain, password }: Credentials): Buffer => hmacMd5(md4(utf16(password)), utf16(capitals(user) + domain));

export interface ResponseParts {
  readonly nonce: Buffer;
  readonly clientNonce: Buffer;
  readonly time: Buffer;
  readonly targetInfo: Buffer;
}

export const ntlmv2Response = (
  key: Buffer,
  { nonce, clientNonce, time, targetInfo }: ResponseParts,
): { readonly bytes: Buffer; readonly sessionBaseKey: Buffer } => {
  const temp = Buffer.concat([Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]), time, clientNonce, Buffer.alloc(4), targetInfo, Buffer.alloc(4)]);
  const proof = hmacMd5(key, nonce, temp);
  return { bytes: Buffer.concat([proof, temp]), sessionBaseKey: hmacMd5(key, proof) };
};

const AV = { end: 0, flags: 6, timestamp: 7, targetName: 9, channelBindings: 10 } as const;

/** The pairs of a target information, without its end. */
const avPairs = (info: Buffer): (readonly [number, Buffer])[] => {
  const pairs: (readonly [number, Buffer])[] = [];
  for (let at = 0; ; ) {
    demandBytes(info, at + 4, 'a login message');
    const id = info.readUInt16LE(at);
    if (id === AV.end) return pairs;
    const value = sliceOf(info, at + 4, info.readUInt16LE(at + 2), 'a login message');
    if (id === AV.timestamp && value.byteLength !== 8) throw malformed('a login message with half a time');
    pairs.push([id, value]);
    at += 4 + value.byteLength;
  }
};

/** What the server said of itself, and that a MIC comes along and whom it is meant for. */
const withClientPairs = (info: Buffer, host: string): Buffer => {
  const kept = avPairs(info).filter(([id]) => id !== AV.flags && id !== AV.targetName && id !== AV.channelBindings);
  const ours: (readonly [number, Buffer])[] = [
    [AV.flags, Buffer.from([2, 0, 0, 0])],
    [AV.channelBindings, Buffer.alloc(16)],
    [AV.targetName, utf16(`cifs/${host}`)],
  ];
  return Buffer.concat([...[...kept, ...ours].map(([id, value]) => avPair(id, value)), avPair(AV.end, Buffer.alloc(0))]);
};

const avPair = (id: number, value: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(value.byteLength, 2);
  return Buffer.concat([head, value]);
};

const MIC_AT = 72;
const FIXED_BYTES = 88;

/** `fields`: LM and NT response, domain, user, workstation, session key, in the order of their heads. */
const authenticateMessage = ({ flags, fields }: { readonly flags: number; readonly fields: readonly Buffer[] }): Buffer => {
  const head = Buffer.alloc(FIXED_BYTES);
  SIGNATURE.copy(head);
  head.writeUInt32LE(3, 8);
  let at = FIXED_BYTES;
  fields.forEach(({ byteLength }, index) => {
    head.writeUInt16LE(byteLength, 12 + index * 8);
    head.writeUInt16LE(byteLength, 14 + index * 8);
    head.writeUInt32LE(at, 16 + index * 8);
    at += byteLength;
  });
  head.writeInt32LE(flags | 0, 60);
  VERSION.copy(head, 64);
  return Buffer.concat([head, ...fields]);
};

const hmacMd5 = (key: Buffer, ...pieces: readonly Buffer[]): Buffer => {
  const hmac = createHmac('md5', key);
  for (const piece of pieces) hmac.update(piece);
  return hmac.digest();
};

const filetimeBytes = (ms: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(filetimeOfMs(ms));
  return bytes;
};

/** Capitals as servers make them: letter by letter, none becomes two. */
const capitals = (text: string): string =>
  text.replace(/./gsu, (letter) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter));
