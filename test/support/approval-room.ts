import type { Caller } from '../../src/access/caller.ts';
import { createPolicy } from '../../src/access/policy.ts';
import type { RequireApproval } from '../../src/core/caller-limits.ts';
import { PolicyException } from '../../src/core/errors.ts';
import { openHouse, type TestHouse } from './house.ts';

/** A house with a guest who needs a yes, and somebody who can give it. */
export const openRoom = (
  requireApproval: RequireApproval = 'destructive',
  files: Readonly<Record<string, string>> = { 'a.txt': 'old' },
) => {
  const house = openHouse({ files });
  const guest: Caller = { name: 'guest', remote: true, policy: createPolicy({ readWrite: [house.dir.path], requireApproval }) };
  house.factotum.callers.set(guest.name, guest);
  const { gateway, state } = house.factotum;
  const ask = (request: unknown) => gateway.run(request, { caller: guest });
  return {
    house,
    guest,
    ask,
    /** Why it is refused. */
    refusal: async (request: unknown): Promise<PolicyException> => {
      const fault = await ask(request).catch((each: unknown) => each);
      if (fault instanceof PolicyException) return fault;
      throw new Error(`It was not refused but gave ${JSON.stringify(fault)}.`, { cause: fault });
    },
    approve: async (hash: unknown, ttlMs = 60_000) => (await state()).store.approvals.approve(String(hash), 'tester', ttlMs),
    plans: async () => (await state()).store.approvals.list(),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
};

export const hashOf = ({ context }: PolicyException): string => String(context.plan_hash);
export const REMOVE = ['FA_remove_file', { file_path: 'a.txt' }];
export const isThere = (house: TestHouse, name = 'a.txt') => house.dir.read(name) !== undefined;
