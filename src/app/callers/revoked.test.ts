import { expect, test } from 'vitest';
import { openHouse, openOn } from '../../../test/support/house.ts';
import { waitingActions } from '../../../test/support/waiting-actions.ts';
import { openService, type ServiceOptions } from '../serve/serve.ts';

const OWNERS = 'owner-0123456789abcdef';
const GUESTS = 'guest-0123456789abcdef';
const OTHERS = 'other-0123456789abcdef';
const guest = { name: 'guest', secret: GUESTS };
const other = { name: 'other', secret: OTHERS, effects: ['none'] };
const withTokens = (...tokens: NonNullable<ServiceOptions['tokens']>): ServiceOptions => ({
  sharedSecret: OWNERS,
  http: { port: 0 },
  tokens,
});

test.each([
  ['is gone', [other]],
  ['may do less', [{ ...guest, deny: ['FA_t_touch'] }, other]],
  ['has another secret', [{ ...guest, secret: 'guest-fedcba9876543210' }, other]],
])('what a token that %s has under way ends at its next command; nobody else notices', async (_, tokens) => {
  await using house = openHouse();
  const waiting = waitingActions();
  house.factotum.registry.registerMany(waiting.actions);
  await using service = await openOn(house, () => openService(house.factotum, withTokens(guest, other)));
  const post = async (secret: string, list: unknown) => {
    const answer = await fetch(`${service.door('http').url}/actions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
      body: JSON.stringify(list),
    });
    return answer.json();
  };
  const list = [
    ['FA_t_stubborn', ['a']],
    ['FA_t_echo', ['second']],
  ];
  const running = [GUESTS, OTHERS, OWNERS].map((secret) => post(secret, list));
  await waiting.untilBegun(3);
  const change = await service.prepare(withTokens(...tokens));
  await change.apply();
  waiting.release('a');
  const [mine, ...theirs] = await Promise.all(running);
  expect(mine).toMatchObject({ ok: false, status: 'cancelled', results: [expect.anything(), { status: 'cancelled' }] });
  for (const result of theirs) expect(result).toMatchObject({ ok: true, results: [{ value: 'a' }, { value: 'second' }] });
});

test('what a token has under way goes on where it is as it was', async () => {
  await using house = openHouse();
  const waiting = waitingActions();
  house.factotum.registry.registerMany(waiting.actions);
  await using service = await openOn(house, () => openService(house.factotum, withTokens(guest)));
  const asked = fetch(`${service.door('http').url}/actions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${GUESTS}` },
    body: JSON.stringify([['FA_t_wait', ['a']]]),
  });
  await waiting.untilBegun(1);
  await (await service.prepare(withTokens({ ...guest }, other))).apply();
  waiting.release('a');
  expect(await (await asked).json()).toMatchObject({ ok: true });
});
