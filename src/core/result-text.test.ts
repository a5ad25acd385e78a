import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHouse } from '../../test/support/house.ts';
import type { RunResult } from './result.ts';
import { resultText } from './result-text.ts';

const count = fc.nat();
const duration = fc.double({ min: 0, max: 1e22, noNaN: true });
const result: fc.Arbitrary<RunResult> = fc
  .record({
    run_id: fc.string(),
    ok: fc.boolean(),
    status: fc.constantFrom('ok' as const, 'failed' as const, 'cancelled' as const),
    counts: fc.record({ ok: count, failed: count, skipped: count, planned: count, reused: count, cancelled: count, indeterminate: count }),
    duration_ms: duration,
    hash: fc.option(fc.string(), { nil: undefined }),
    results: fc.array(
      fc.record({
        index: count,
        action: fc.option(fc.string()),
        status: fc.constant('ok' as const),
        value: fc.jsonValue(),
        duration_ms: duration,
      }),
    ),
  })
  .map(({ hash, results, ...rest }) => ({ ...rest, ...(hash !== undefined && { plan_hash: hash }), results }));

test('is what JSON makes of the result', () => {
  fc.assert(
    fc.property(result, (each) => {
      expect(resultText(each)).toBe(JSON.stringify(each));
    }),
  );
});

test.each([
  ['a list', [['FA_t_echo', { value: 'grün "x"' }], ['FA_no_such']]],
  ['a plan', { actions: [['FA_create_file', ['a', 'b']]], dry_run: true }],
  ['a graph', { nodes: [{ id: 'a', action: ['FA_t_echo', { value: 1 }] }] }],
  ['nothing', []],
])('has every field that %s gives', async (_, list) => {
  await using house = openHouse({ logLevel: 'error' });
  const given = await house.run(list);
  expect(resultText(given)).toBe(JSON.stringify(given));
});
