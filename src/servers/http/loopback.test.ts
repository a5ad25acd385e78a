import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHouse, type TestHouse } from '../../../test/support/house.ts';
import { bytesOf, type LoopbackCase, loopbackCases, requestBytes, speak, statusesIn } from '../../../test/support/loopback-corpus.ts';
import { openService, type Service } from '../../app/serve/serve.ts';

const TOKEN = 'tok-7c1f0b52d9e84a63';
let house: TestHouse;
let service: Service;

const open = async () => {
  house = openHouse();
  // Wrong secrets of one address are counted, and all cases come from one.
  service = await openService(house.factotum, { http: { port: 0 }, sharedSecret: TOKEN, limits: { wrongSecretsPerMinute: 1_000 } });
};
const close = async () => {
  await service.close();
  await house[Symbol.asyncDispose]();
};

const isOverHttp = ({ tcp, then, repeat }: LoopbackCase) => tcp === undefined && then === undefined && repeat === undefined;

describe('a request to the loopback door', () => {
  beforeAll(open);
  afterAll(close);

  test.each(
    loopbackCases()
      .filter(isOverHttp)
      .map((each) => [each.id, each.why, each] as const),
  )('%s: %s', async (_id, _why, each) => {
    const filling = { port: service.door('http').port, token: TOKEN };
    const bytes = each.raw === undefined ? requestBytes(each.req ?? {}, filling) : bytesOf(each.raw, filling);
    const { expect: expected } = each;
    const before = house.touched;
    const wanted = expected.answers ?? (expected.ran > 1 ? expected.ran : 1);
    const heard = await speak(service.door('http').port, bytes, { enough: (text) => expected.closed !== true && isWhole(text, wanted) });
    const [status = null] = statusesIn(heard.text);
    if (Array.isArray(expected.status)) expect(expected.status).toContain(status);
    else expect(status).toBe(expected.status);
    expect(house.touched - before).toBe(expected.ran);
    if (expected.closed === true) expect(heard.closed).toBe(true);
    const head = heard.text.slice(0, heard.text.indexOf('\r\n\r\n')).toLowerCase();
    for (const name of expected.has_header ?? []) expect(head).toContain(`\r\n${name}:`);
    for (const name of expected.lacks_header ?? []) expect(head).not.toContain(`\r\n${name}:`);
    if (expected.no_100 === true) expect(heard.text).not.toContain('100 Continue');
    if (status !== null && status >= 400) expect(head).toMatch(/\r\nconnection: (?:upgrade, )?close/);
  });
});

test('after ten wrong secrets in a minute further wrong ones are turned away, and a right one passes', async () => {
  house = openHouse();
  service = await openService(house.factotum, { http: { port: 0 }, sharedSecret: TOKEN });
  const filling = { port: service.door('http').port, token: TOKEN };
  const recorded = loopbackCases().find(({ id }) => id === 'au-rate');
  const statuses: number[] = [];
  let last = '';
  for (let at = 0; at < (recorded?.repeat?.times ?? 0); at += 1) {
    last = (await speak(filling.port, requestBytes(recorded?.repeat?.req ?? {}, filling))).text;
    statuses.push(...statusesIn(last));
  }
  expect(statuses).toEqual(recorded?.expect.statuses);
  expect(last.toLowerCase()).toContain('retry-after:');
  expect(statusesIn((await speak(filling.port, requestBytes({}, filling), { enough: (text) => isWhole(text, 1) })).text)).toEqual([200]);
  expect(house.touched).toBe(1);
  await close();
});

describe('a slow client', () => {
  const slow = { headersTimeoutS: 0.3, bodyIdleTimeoutS: 0.2, bodyTimeoutS: 0.6 };
  beforeAll(async () => {
    house = openHouse();
    service = await openService(house.factotum, { http: { port: 0 }, sharedSecret: TOKEN, limits: slow });
  });
  afterAll(close);

  const raw = (id: string) => {
    const found = loopbackCases().find((each) => each.id === id);
    return bytesOf(found?.raw ?? [], { port: service.door('http').port, token: TOKEN });
  };

  test.each(['sl-headers', 'sl-body', 'sl-drip'])('%s is answered with 408 and closed', async (id) => {
    const heard = await speak(service.door('http').port, raw(id));
    expect(statusesIn(heard.text)).toEqual([408]);
    expect(heard.closed).toBe(true);
    expect(house.touched).toBe(0);
  });

  test('that goes away in the middle of its body runs nothing', async () => {
    await speak(service.door('http').port, raw('sl-abort'), { halfClose: true });
    expect(house.touched).toBe(0);
  });
});

/** Whether this many answers came with all their bytes. */
const isWhole = (text: string, answers: number): boolean => {
  let rest = text;
  for (let met = 0; met < answers; met += 1) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    if (/^HTTP\/1\.1 101/.test(rest)) return true;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    if (rest.length < end + 4 + length) return false;
    rest = rest.slice(end + 4 + length);
  }
  return true;
};
