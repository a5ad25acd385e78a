import { expect, test } from 'vitest';
import { SHARE_NAMES, SHARES } from '../core/caller-limits.ts';
import { OWNER } from './caller.ts';
import { createPolicy } from './policy.ts';
import { createShares } from './shares.ts';

const guest = (rules = {}) => ({ name: 'guest', remote: true, policy: createPolicy(rules) });

test.each(SHARE_NAMES)('%s: one caller uses up its own, others and the owner have theirs', (share) => {
  const shares = createShares(() => 0);
  const { key, per = 1 }: { key: string; per?: number } = SHARES[share];
  const caller = guest({ [share]: 2 * per });
  const [first] = [shares.take(caller, share), per === 1 ? shares.take(caller, share) : undefined];
  const ask = () => (per === 1 ? shares.take(caller, share) : shares.demand(caller, share, 2 * per));
  expect(ask).toThrow(expect.objectContaining({ type: 'QuotaExceededException', retryable: true, context: { limit: key, [key]: 2 } }));
  expect(ask).toThrow(`raise ${key}`);
  expect(shares.usedUp()).toEqual([{ caller: 'guest', key }]);
  shares.take({ ...caller, name: 'other' }, share);
  for (let count = 0; count < 100; count += 1) shares.take(OWNER, share);
  first?.();
  first?.(); // what is given back twice counts once
  shares.take(caller, share);
});

test('a refusal of what is counted elsewhere is news for a minute', () => {
  let now = 0;
  const shares = createShares(() => now);
  expect(() => shares.demand(guest({ maxSchedules: 3 }), 'maxSchedules', 3)).toThrow('raise max_schedules');
  expect(shares.usedUp()).toEqual([{ caller: 'guest', key: 'max_schedules' }]);
  now = 60_001;
  expect(shares.usedUp()).toEqual([]);
  shares.demand(OWNER, 'maxSchedules', 1_000_000);
});

test('who has no limits of its own has the usual ones', () => {
  const shares = createShares(() => 0);
  for (let count = 0; count < SHARES.maxChildren.usual; count += 1) shares.take({ name: 'a' }, 'maxChildren');
  expect(() => shares.take({ name: 'a' }, 'maxChildren')).toThrow(
    expect.objectContaining({ context: { limit: 'max_children', max_children: 16 } }),
  );
});
