import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sessionKeys } from './keys.ts';
import { CIPHER_KEY_BYTES, type CipherName, createSealer } from './sealing.ts';
import { createSigner, type SigningName } from './signing.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const shown = (bytes: Buffer | undefined): string | undefined => bytes?.toString('hex').toUpperCase();

// The examples that Microsoft has published of a session over 3.0 and one over 3.1.1.
describe('the keys of a session', () => {
  test('of 3.0', () => {
    const keys = sessionKeys({
      dialect: 0x0300,
      sessionKey: hex('7CD451825D0450D235424E44BA6E78CC'),
      cipher: 'aes-128-ccm',
      preauthHash: Buffer.alloc(64),
    });
    expect([keys.signing, keys.sealing, keys.opening].map(shown)).toEqual([
      '0B7E9C5CAC36C0F6EA9AB275298CEDCE',
      'FAD27796665B313EBB578F388632B4F7',
      'B0F0427F7CEB416D1D9DCC0CD4F99447',
    ]);
  });

  test('of 3.1.1', () => {
    const keys = sessionKeys({
      dialect: 0x0311,
      sessionKey: hex('270E1BA896585EEB7AF3472D3B4C75A7'),
      cipher: 'aes-128-gcm',
      preauthHash: hex(
        '0DD13628CC3ED218EF9DF9772D436D0887AB9814BFAE63A80AA845F36909DB7928622DDDAD522D9751640A459762C5A9D6BB084CBB3CE6BDADEF5D5BCE3C6C01',
      ),
    });
    expect([keys.signing, keys.sealing, keys.opening].map(shown)).toEqual([
      '73FE7A9A77BEF0BDE49C650D8CCB5F76',
      '629BCBC54422A0F572B97F45989B6073',
      'E2AF0DCEFAC68DA71A0DFBD0D1350D74',
    ]);
  });

  test('have 32 bytes for ciphers of 256 bits, but for the signature', () => {
    const origin = { dialect: 0x0311, sessionKey: Buffer.alloc(16, 1), preauthHash: Buffer.alloc(64, 2) } as const;
    const keys = sessionKeys({ ...origin, cipher: 'aes-256-gcm' });
    expect([keys.signing, keys.sealing, keys.opening].map((key) => key?.byteLength)).toEqual([16, 32, 32]);
  });

  test('of 2.1 are one, and nothing is encrypted', () => {
    const sessionKey = Buffer.alloc(16, 7);
    const keys = sessionKeys({ dialect: 0x0210, sessionKey, cipher: undefined, preauthHash: Buffer.alloc(64) });
    expect(keys).toEqual({ signing: sessionKey, sealing: undefined, opening: undefined });
  });
});

describe('a signature', () => {
  // The answer that ended the login of the published example.
  const ANSWER =
    'FE534D4240000100000000000100800009000000000000000300000000000000FFFE0000000000001900000000100000EBE146DA120BA25FC3376A49DFE31BC1' +
    '0900000048001D00A11B3019A0030A0100A3120410010000003B453CDC3524164200000000';

  test('of a real server is right, and wrong when any byte is another', () => {
    const signer = createSigner('aes-cmac', hex('73FE7A9A77BEF0BDE49C650D8CCB5F76'));
    expect(signer.isRight(hex(ANSWER))).toBe(true);
    for (let at = 0; at < ANSWER.length / 2; at += 1) {
      const changed = hex(ANSWER);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(signer.isRight(changed)).toBe(false);
    }
  });

  test.each<SigningName>(['hmac-sha256', 'aes-cmac', 'aes-gmac'])('by %s is what it is however the message lies in memory', (name) => {
    const signer = createSigner(name, Buffer.alloc(16, 3));
    const head = Buffer.alloc(112, 5);
    head.fill(0, 48, 64);
    const data = Buffer.alloc(100_000, 9);
    const whole = Buffer.concat([head, data]);
    signer.sign([head, data]);
    signer.sign([whole]);
    expect(head.equals(whole.subarray(0, 112))).toBe(true);
    expect(signer.isRight(whole)).toBe(true);
  });
});

describe('an encrypted frame', () => {
  const names = Object.keys(CIPHER_KEY_BYTES) as CipherName[]; // the keys of a record of them

  test.each(names)('by %s opens to what it was, and to nothing when any byte is another', (name) => {
    const key = randomBytes(CIPHER_KEY_BYTES[name]);
    const sealer = createSealer(name, key, key);
    const [head, data] = [Buffer.from('a message and '), Buffer.from('its data')];
    const frame = Buffer.concat(sealer.seal([head, data], 77n));
    expect(sealer.open(Buffer.from(frame), 77n).toString()).toBe('a message and its data');
    expect(frame.includes('message')).toBe(false);
    for (let at = 4; at < frame.byteLength; at += 1) {
      const changed = Buffer.from(frame);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealer.open(changed, 77n)).toThrow(/encrypted message/);
    }
  });

  test('never has the nonce of another one', () => {
    const sealer = createSealer('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(16));
    const nonces = Array.from({ length: 1000 }, () =>
      sealer
        .seal([Buffer.alloc(1)], 1n)[0]
        ?.subarray(20, 36)
        .toString('hex'),
    );
    expect(new Set(nonces).size).toBe(1000);
  });

  test('of another session is refused', () => {
    const sealer = createSealer('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(16));
    expect(() => sealer.open(Buffer.concat(sealer.seal([Buffer.alloc(1)], 1n)), 2n)).toThrow(/another session/);
  });
});
