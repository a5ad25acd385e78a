import { describe, expect, test } from 'vitest';
import { newId, newRunId } from './ids.ts';

describe('an id', () => {
  test('has 32 digits that no other has', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('the id of a run', () => {
  test('is a UUID of version 7 that no other run has, in one millisecond either', () => {
    const ids = Array.from({ length: 10_000 }, () => newRunId(1_790_000_000_000));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^01a0c450-6c00-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('sorts behind those made earlier', () => {
    const ids = [0, 1, 255, 256, 2 ** 32, 2 ** 40, Date.now()].map(newRunId);
    expect([...ids].sort()).toEqual(ids);
  });

  test('draws every variant and every digit', () => {
    const ids = Array.from({ length: 2_000 }, () => newRunId(0).slice(15));
    for (const at of [...'xxx-vxxx-xxxxxxxxxxxx'].keys()) {
      const kind = 'xxx-vxxx-xxxxxxxxxxxx'.charAt(at);
      expect(new Set(ids.map((id) => id.charAt(at))).size).toBe(kind === '-' ? 1 : kind === 'v' ? 4 : 16);
    }
  });
});
