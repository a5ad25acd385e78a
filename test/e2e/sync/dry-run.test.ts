import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { snapshot } from './snapshot.ts';
import { grow, trees } from './trees.ts';

const factotum = createInstance({ log: { level: 'silent' } });
afterAll(() => factotum.close());

const ways = fc.record({
  compare: fc.constantFrom('size_mtime', 'checksum'),
  delete: fc.boolean(),
  tolerance_s: fc.constantFrom(0, 2),
  exclude: fc.constantFrom([], ['a'], ['*.txt', 'z/**']),
  max_delete: fc.constantFrom(0, 50),
  max_delete_share: fc.constantFrom(0.3, 1),
  max_listed: fc.constantFrom(0, 1, 3, 10_000),
});

test('a dry run answers what the run then answers, fails where it fails, and changes nothing', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(trees, fc.option(trees), ways, async (left, right, way) => {
      using dir = tempDir();
      grow(dir.at('left'), left);
      if (right !== null) grow(dir.at('right'), right);
      const before = snapshot(dir.path);
      const outcomeOf = async (more: object) => {
        const { results } = await factotum.run([['FA_sync_dir', { src: dir.at('left'), dst: dir.at('right'), ...way, ...more }]]);
        const { value, error, notes } = results[0] ?? {};
        return { value: value && { ...value, dry_run: 'either' }, error: error?.message, notes };
      };
      const foretold = await outcomeOf({ dry_run: true });
      expect(snapshot(dir.path)).toEqual(before);
      expect(await outcomeOf({})).toEqual(foretold);
    }),
    { numRuns: 60 },
  );
});
