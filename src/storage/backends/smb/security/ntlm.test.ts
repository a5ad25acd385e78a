import { describe, expect, test } from 'vitest';
import { answerChallenge, ntlmNegotiate, ntlmv2Response, ntowfv2, readChallenge } from './ntlm.ts';
import { rc4 } from './rc4.ts';
import { isSpnegoOffered, unwrap, wrapFirst, wrapLast } from './spnego.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

// [MS-NLMP] 4.2.4: the published example of NTLMv2.
const CREDENTIALS = { user: 'User', domain: 'Domain', password: 'Password' };
const NONCE = hex('0123456789abcdef');
const CLIENT_NONCE = hex('aaaaaaaaaaaaaaaa');
const TARGET_INFO = hex('02000c0044006f006d00610069006e00 01000c00530065007200760065007200 00000000');

/** A challenge with a target information. */
const challengeOf = (targetInfo: Buffer, flags = 0xe28a_8215): Buffer => {
  const message = Buffer.alloc(56);
  message.write('NTLMSSP\0', 'latin1');
  message.writeUInt32LE(2, 8);
  message.writeUInt32LE(flags, 20);
  NONCE.copy(message, 24);
  message.writeUInt16LE(targetInfo.byteLength, 40);
  message.writeUInt32LE(56, 44);
  return Buffer.concat([message, targetInfo]);
};

const answered = (challenge: Buffer, credentials = CREDENTIALS) =>
  answerChallenge({
    credentials,
    host: 'nas',
    nowMs: 0,
    clientNonce: CLIENT_NONCE,
    freshKey: Buffer.alloc(16, 0x55),
    negotiate: ntlmNegotiate(),
    challenge,
  });

/** One of the fields of a last message, in the order of their heads. */
const field = (message: Buffer, index: number): Buffer =>
  message.subarray(message.readUInt32LE(16 + index * 8)).subarray(0, message.readUInt16LE(12 + index * 8));

describe('NTLMv2', () => {
  const key = ntowfv2(CREDENTIALS);

  test('has the published key, proof and session key', () => {
    const { bytes, sessionBaseKey } = ntlmv2Response(key, {
      nonce: NONCE,
      clientNonce: CLIENT_NONCE,
      time: Buffer.alloc(8),
      targetInfo: TARGET_INFO,
    });
    expect(key.toString('hex')).toBe('0c868a403bfd7a93a3001ef22ef02e3f');
    expect(bytes.subarray(0, 16).toString('hex')).toBe('68cd0ab851e51c96aabc927bebef6a1c');
    expect(sessionBaseKey.toString('hex')).toBe('8de40ccadbc14a82f15cb0ad0de95ca3');
    expect(rc4(sessionBaseKey, Buffer.alloc(16, 0x55)).toString('hex')).toBe('c5dad2544fc9799094ce1ce90bc9d03e');
  });

  test('sends the published answer of old servers, which tell no time', () => {
    const { message } = answered(challengeOf(TARGET_INFO));
    expect(field(message, 0).toString('hex')).toBe('86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa');
    expect([2, 3].map((index) => field(message, index).toString('utf16le'))).toEqual(['Domain', 'User']);
  });

  test('sends nothing of the old answer to servers that tell the time, and vouches for all messages', () => {
    const time = hex('07000800 0102030405060708');
    const { message, sessionKey } = answered(challengeOf(Buffer.concat([time, TARGET_INFO])));
    expect(field(message, 0).equals(Buffer.alloc(24))).toBe(true);
    expect(field(message, 1).includes(hex('06000400 02000000'))).toBe(true);
    expect(message.subarray(72, 88).equals(Buffer.alloc(16))).toBe(false);
    expect(sessionKey.equals(Buffer.alloc(16, 0x55))).toBe(true);
  });

  test('shows the password in no message', () => {
    const { message } = answered(challengeOf(TARGET_INFO), { ...CREDENTIALS, password: 'a secret of mine' });
    expect([...[message.toString('latin1'), message.toString('utf16le')]].join()).not.toMatch(/secret/);
  });

  test('makes capitals letter by letter', () => {
    const keyOf = (user: string) => ntowfv2({ ...CREDENTIALS, user }).toString('hex');
    expect(keyOf('stra\u00dfe')).toBe(keyOf('STRA\u00dfE'));
    expect(keyOf('user')).toBe(keyOf('USER'));
  });

  test.each([
    ['is cut short', challengeOf(TARGET_INFO).subarray(0, 40)],
    ['is no challenge', ntlmNegotiate()],
    ['points outside of itself', challengeOf(TARGET_INFO).fill(0xff, 44, 48)],
    ['has no end', challengeOf(TARGET_INFO.subarray(0, 32))],
    ['has half a time', challengeOf(Buffer.concat([hex('07000400 01020304'), TARGET_INFO]))],
  ])('refuses a challenge that %s', (_what, challenge) => expect(() => answered(challenge)).toThrow(/login message/));

  test('refuses a server that knows only the older form', () => {
    expect(() => readChallenge(challengeOf(TARGET_INFO, 0x0000_0001))).toThrow(/old form of login/);
    expect(() => readChallenge(challengeOf(Buffer.alloc(0)))).toThrow(/old form of login/);
  });
});

describe('SPNEGO', () => {
  const token = Buffer.concat([Buffer.from('NTLMSSP\0'), Buffer.alloc(300)]);
  const answer = (content: string) =>
    hex(`a1${(content.length / 2 + 2).toString(16).padStart(2, '0')}30${(content.length / 2).toString(16).padStart(2, '0')}${content}`);

  test('is spoken with servers that offer it, and bare messages with those that say nothing', () => {
    expect(isSpnegoOffered(wrapFirst(token))).toBe(true);
    expect(isSpnegoOffered(Buffer.alloc(0))).toBe(false);
    expect(() => isSpnegoOffered(hex('600a06062b0601050502a000'))).toThrow(/takes no NTLM/);
  });

  test('holds what was put into it', () => {
    const wrapped = wrapLast(token, () => Buffer.alloc(16, 1));
    expect(unwrap(wrapped).equals(token)).toBe(true);
    expect(unwrap(token).equals(token)).toBe(true);
    expect(unwrap(answer('a0030a0100')).byteLength).toBe(0);
  });

  test.each(['a1', 'a180', 'a184ffffffff', 'a1053003a20104', 'a1023001', '3000'])('refuses %s', (bytes) =>
    expect(() => unwrap(Buffer.concat([hex(bytes)]))).toThrow(/login message/),
  );

  test('cut anywhere is refused', () => {
    const wrapped = wrapLast(token, () => Buffer.alloc(16, 1));
    for (let bytes = 1; bytes < wrapped.byteLength; bytes += 1) expect(() => unwrap(wrapped.subarray(0, bytes))).toThrow(/login message/);
  });
});
