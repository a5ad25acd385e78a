import { expect, test } from 'vitest';
import { QueueException, StoreException } from '../../core/errors.ts';
import { asStoreFault, leavesReading, type StoreFaultKind, storeFaultKind } from './store-fault.ts';

const sqlite = (errcode: number) => Object.assign(new Error('words'), { code: 'ERR_SQLITE_ERROR', errcode });
const system = (code: string) => Object.assign(new Error(code), { code });

test.each<readonly [string, unknown, StoreFaultKind]>([
  ['a full disk', sqlite(13), 'full'],
  ['no room for the shared file', sqlite(4874), 'full'],
  ['a read-only database', sqlite(8), 'read_only'],
  ['a read-only directory, by its extended code', sqlite(1544), 'read_only'],
  ['a busy database', sqlite(5), 'busy'],
  ['a device error', sqlite(266), 'device'],
  ['damage', sqlite(11), 'damaged'],
  ['something that is no database', sqlite(26), 'unreadable'],
  ['a path that cannot be opened', sqlite(14), 'no_access'],
  ['words without a code', new Error('database or disk is full'), 'full'],
  ['a full disk of the system', system('ENOSPC'), 'full'],
  ['a read-only disk of the system', system('EROFS'), 'read_only'],
  ['a missing right', system('EACCES'), 'no_access'],
  ['anything else', sqlite(1), 'unexpected'],
  ['what is no error', 'words', 'unexpected'],
])('%s is told as such, with the place', (_, fault, kind) => {
  const told = asStoreFault(fault, '/state/factotum.db');
  expect(told).toBeInstanceOf(StoreException);
  expect(told.message).toMatch(
    /^The (?:store|file|device of the store) at|^No space is left for the store at|^Another process keeps the store at/,
  );
  expect(told.message).toContain('/state/factotum.db');
  expect(storeFaultKind(told)).toBe(kind);
});

test('only a fault that leaves the store readable says so', () => {
  expect(leavesReading(asStoreFault(sqlite(13), 'x'))).toBe(true);
  expect(leavesReading(asStoreFault(sqlite(11), 'x'))).toBe(false);
  expect(leavesReading(new Error('x'))).toBe(false);
  expect(storeFaultKind(new StoreException('x', { context: { fault: 'toString' } }))).toBeUndefined();
});

test('what is typed already passes through', () => {
  const fault = new QueueException('x');
  expect(asStoreFault(fault, 'x')).toBe(fault);
});
