import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { accessFault, type Use } from './access-fault.ts';

describe('what the system would refuse', () => {
  test.each<[Use, number, string | undefined]>([
    ['read', 0o400, undefined],
    ['read', 0o300, 'EACCES'],
    ['write', 0o200, undefined],
    ['write', 0o555, 'EACCES'],
    ['change', 0o300, undefined],
    ['change', 0o200, 'EACCES'],
    ['change', 0o577, 'EACCES'],
  ])('is told for those who want to %s by the mode %o', async (use, mode, code) => {
    using dir = tempDir({ 'd/a': 'x' });
    chmodSync(dir.at('d'), mode);
    const fault = await asOrdinaryUser(dir.path, async () => accessFault(dir.at('d'), use));
    expect((fault as NodeJS.ErrnoException | undefined)?.code).toBe(code);
  });

  test('is nothing where only something is missing', () => {
    using dir = tempDir();
    expect(accessFault(dir.at('missing'), 'write')).toBeUndefined();
  });
});
