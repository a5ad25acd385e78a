import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeOf, systemFault } from './system-fault.ts';

test('a fault of ours looks like one of Node', () => {
  const path = '/no/such/file';
  let real: unknown;
  try {
    readFileSync(path);
  } catch (fault) {
    real = fault;
  }
  const { code, errno, syscall } = systemFault('ENOENT', 'open', path);
  expect(real).toMatchObject({ code, errno, syscall, path });
});

test.each([[new Error('plain')], [null], ['ENOENT'], [{ code: 7 }], [{ code: 'ERR_INVALID_ARG_VALUE' }]])(
  '%j has no system code',
  (fault) => {
    expect(codeOf(fault)).toBeUndefined();
  },
);
