import { expect, test, vi } from 'vitest';
import type { Caller } from './caller.ts';
import { createGate } from './gate.ts';

/** How often two digests were compared in a time that tells nothing. */
const compared = vi.hoisted(() => ({ times: 0 }));

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    timingSafeEqual: (one: Uint8Array, other: Uint8Array) => {
      compared.times += 1;
      return crypto.timingSafeEqual(one, other);
    },
  };
});

const caller = (name: string): Caller => ({ name, remote: true });

const openGate = (wrongPerMinute: number) => {
  let nowMs = 0;
  const gate = createGate({
    credentials: [{ secret: 'right', caller: caller('holder') }],
    stranger: caller('stranger'),
    wrongPerMinute,
    now: () => nowMs,
  });
  return {
    wait(ms: number) {
      nowMs += ms;
    },
    /** What somebody hears who presents a secret. */
    hears(secret: string | undefined, address: string): string {
      const admission = gate.identify(secret, address);
      return 'caller' in admission ? admission.caller.name : admission.refused;
    },
    identify: gate.identify,
  };
};

test('wrong secrets of one address are counted by the minute; a right one always passes', () => {
  const gate = openGate(2);
  const heard = () => ['wrong', 'wrong', 'wrong'].map((secret) => gate.hears(secret, 'a'));
  expect(heard()).toEqual(['wrong', 'wrong', 'too-many']);
  expect(gate.hears('right', 'a')).toBe('holder');
  expect(gate.hears(undefined, 'a')).toBe('missing');
  expect(gate.hears('wrong', 'b')).toBe('wrong');
  gate.wait(59_500);
  expect(gate.identify('wrong', 'a')).toEqual({ refused: 'too-many', retryAfterS: 1 });
  gate.wait(500);
  expect(heard()).toEqual(['wrong', 'wrong', 'too-many']);
});

test('no more than ten thousand addresses are remembered, whoever comes from more', () => {
  const gate = openGate(1);
  const isRemembered = (address: string) => gate.hears('wrong', address) === 'too-many';
  gate.hears('wrong', 'first');
  for (let at = 1; at < 10_000; at += 1) gate.hears('wrong', `other ${at}`);
  expect(isRemembered('first')).toBe(true);
  gate.hears('wrong', 'one too many');
  expect(isRemembered('first')).toBe(false);
  expect(isRemembered('one too many')).toBe(true);
});

test('every secret is compared, whichever is right, so that time tells nothing', () => {
  const secrets = ['one', 'two', 'three'];
  const gate = createGate({ credentials: secrets.map((secret) => ({ secret, caller: caller(secret) })), stranger: caller('stranger') });
  for (const presented of [...secrets, 'none']) {
    compared.times = 0;
    gate.identify(presented, 'a');
    expect(compared.times, presented).toBe(3);
  }
});
