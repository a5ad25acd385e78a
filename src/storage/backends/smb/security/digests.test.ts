import { describe, expect, test } from 'vitest';
import { cmac } from './cmac.ts';
import { md4 } from './md4.ts';
import { rc4 } from './rc4.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('MD4 (RFC 1320)', () => {
  test.each([
    ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
    ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
    ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
    ['message digest', 'd9130a8164549fe818874806e1c7014b'],
    ['abcdefghijklmnopqrstuvwxyz', 'd79e1c308aa5bbcdeea8ed63df412da9'],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', '043f8582f241db351ce627e153e7f0e4'],
    ['1234567890'.repeat(8), 'e33b4ddc9c38f2199c3e7b164fcc0536'],
  ])('%j', (text, digest) => expect(md4(Buffer.from(text)).toString('hex')).toBe(digest));
});

describe('RC4 (RFC 6229)', () => {
  test.each([
    ['0102030405', 'b2396305f03dc027ccc3524a0a1118a8'],
    ['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b97'],
  ])('with the key %s', (key, stream) => expect(rc4(hex(key), Buffer.alloc(16)).toString('hex')).toBe(stream));
});

describe('AES-CMAC (RFC 4493)', () => {
  const key = hex('2b7e151628aed2a6abf7158809cf4f3c');
  const message = hex(
    '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
  );
  const examples: readonly [number, string][] = [
    [0, 'bb1d6929e95937287fa37d129b756746'],
    [16, '070a16b46b4d4144f79bdd9dd04a287c'],
    [40, 'dfa66747de9ae63030ca32611497c827'],
    [64, '51f0bebf7e3b9d92fc49741779363cfe'],
  ];
  test.each(examples)('of %i bytes', (bytes, mac) => expect(cmac(key, [message.subarray(0, bytes)]).toString('hex')).toBe(mac));

  test('is the same wherever the message is cut in two', () => {
    for (const [bytes, mac] of examples) {
      for (let at = 0; at <= bytes; at += 1)
        expect(cmac(key, [message.subarray(0, at), message.subarray(at, bytes)]).toString('hex')).toBe(mac);
    }
  });
});
