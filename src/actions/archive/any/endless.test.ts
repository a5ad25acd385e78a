import { describe, expect, test } from 'vitest';
import { buildRar5 } from '../../../../test/support/archives/build-rar.ts';
import { packRar5WithoutEnd } from '../../../../test/support/archives/pack-rar-literals.ts';
import { namesIn } from '../../../../test/support/archives/tree.ts';
import { openHouse } from '../../../../test/support/house.ts';

const ENDLESS = buildRar5([
  { name: 'first', data: 'words' },
  { name: 'endless', data: '', packed: packRar5WithoutEnd(), size: 196_608 },
]);
const extracting = ['FA_extract_archive', ['o.rar', 'x']];
/** Long enough for the reader to be at it, as a rule; it never gets further however long it has. */
const SECONDS = 0.5;

describe('an archive that keeps its reader busy for ever', () => {
  test.each([
    ['FA_with_timeout', [['FA_with_timeout', { seconds: SECONDS, actions: [extracting] }]], 'TimeoutException'],
    ['a quota of seconds', { actions: [extracting], quota: { max_seconds: SECONDS } }, 'QuotaExceededException'],
  ])('is left at the end of %s, and nothing of it stays', async (_, request, type) => {
    await using house = openHouse({ files: { 'o.rar': ENDLESS } });
    const answer = await house.run(request).catch((fault: unknown) => fault);
    expect(JSON.stringify(answer)).toContain(type);
    expect(namesIn(house.dir.path)).toEqual(['o.rar']);
  });

  test('is left when its run is cancelled, and nothing of it stays', async () => {
    await using house = openHouse({ files: { 'o.rar': ENDLESS } });
    const controller = new AbortController();
    const running = house.run([extracting], { signal: controller.signal });
    // The first file is read by then, and the reader is at the second.
    await expect.poll(() => namesIn(house.dir.path).some((name) => name.endsWith('first'))).toBe(true);
    controller.abort();
    expect((await running).status).toBe('cancelled');
    expect(namesIn(house.dir.path)).toEqual(['o.rar']);
  });
});
