import { expect, test } from 'vitest';
import { manualTime } from '../../../test/support/manual-time.ts';
import type { Caller } from '../../access/caller.ts';
import { createForesight, type Foresight } from '../../core/planning.ts';
import type { StorageUse } from '../../pipeline/run.ts';
import { openMemory } from '../../storage/backends/memory.ts';
import { createOwnConnections } from './own-connections.ts';

const open = () => {
  const time = manualTime('2026-01-01T00:00:00Z');
  const log: string[] = [];
  const connections = createOwnConnections({
    setTimer: time.setTimer,
    async open(type, { password }) {
      log.push(`opened ${type} ${String(password)}`);
      return {
        ...openMemory(),
        async [Symbol.asyncDispose]() {
          log.push(`closed ${type} ${String(password)}`);
        },
      };
    },
  });
  return { connections, log, advance: time.advance };
};

const useOf = (name: string, given: { readonly foresight?: Foresight; readonly isKept?: boolean } = {}): StorageUse => ({
  caller: { name, remote: true } satisfies Caller,
  isKept: given.isKept ?? false,
  budget: undefined,
  foresight: given.foresight,
  files: undefined as never, // nobody looks at it here
  signal: new AbortController().signal,
});

test('what nobody has used for half an hour is forgotten', async () => {
  const { connections, log, advance } = open();
  const ann = useOf('ann');
  await connections.of(ann).open('sftp', { password: 'one' });
  await advance(29 * 60_000);
  await (await connections.find('sftp', ann))?.stat('', ann);
  await advance(29 * 60_000);
  expect(connections.find('sftp', ann)).toBeDefined();
  await advance(31 * 60_000);
  expect(connections.find('sftp', ann)).toBeUndefined();
  expect(log).toEqual(['opened sftp one', 'closed sftp one']);
});

test('one of another caller, another kind or a kept list finds nothing', async () => {
  const { connections } = open();
  await connections.of(useOf('ann')).open('sftp', { password: 'one' });
  expect(connections.find('sftp', useOf('bob'))).toBeUndefined();
  expect(connections.find('ftp', useOf('ann'))).toBeUndefined();
  expect(connections.find('sftp', useOf('ann', { isKept: true }))).toBeUndefined();
  await expect(connections.of(useOf('ann', { isKept: true })).open('sftp', {})).rejects.toThrow('name one of [connections]');
  await connections.close();
});

test('the next takes the place of the one before, which is closed soon', async () => {
  const { connections, log, advance } = open();
  const ann = useOf('ann');
  await connections.of(ann).open('sftp', { password: 'one' });
  await connections.of(ann).open('sftp', { password: 'two' });
  await advance(10_000);
  expect(log).toEqual(['opened sftp one', 'opened sftp two', 'closed sftp one']);
  await connections.close();
  expect(log.at(-1)).toBe('closed sftp two');
});

test('a plan opens and closes for itself', async () => {
  const { connections, log, advance } = open();
  const ann = useOf('ann');
  const plan = useOf('ann', { foresight: createForesight() });
  await connections.of(ann).open('sftp', { password: 'real' });
  await connections.of(plan).close('sftp');
  expect([connections.find('sftp', plan), connections.find('sftp', ann) !== undefined]).toEqual([undefined, true]);
  await connections.of(plan).open('sftp', { password: 'planned' });
  const nested = useOf('ann', { foresight: plan.foresight?.fork() ?? createForesight() });
  await (await connections.find('sftp', nested))?.stat('', ann);
  await advance(60_000);
  expect(log).toEqual(['opened sftp real', 'opened sftp planned', 'closed sftp planned']);
  await connections.close();
});
