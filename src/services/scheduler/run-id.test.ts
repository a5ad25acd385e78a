import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scheduledRunId, shareOf, slotOf } from './run-id.ts';

const slot = fc.integer({ min: 0, max: 2 ** 43 });

test('the id of a scheduled run follows from job and due time', () => {
  expect(scheduledRunId('backup', Date.parse('2026-01-05T12:00Z'))).toBe(scheduledRunId('backup', Date.parse('2026-01-05T12:00Z')));
  fc.assert(
    fc.property(fc.string(), fc.string(), slot, slot, (one, other, early, late) => {
      const id = scheduledRunId(one, early);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(slotOf(id)).toBe(early);
      expect(id === scheduledRunId(other, late)).toBe(one === other && early === late);
      if (early !== late) expect(id < scheduledRunId(other, late)).toBe(early < late);
    }),
  );
});

test('the share of a job and due time is a fixed one from 0 to 1', () => {
  fc.assert(
    fc.property(fc.string(), slot, (name, at) => {
      const share = shareOf(name, at);
      expect(share >= 0 && share < 1).toBe(true);
      expect(shareOf(name, at)).toBe(share);
    }),
  );
});
