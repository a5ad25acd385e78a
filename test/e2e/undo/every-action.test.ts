import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadActions } from '../../laws/all-actions.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { look } from './look.ts';
import { openRecordedHouse } from './recorded-house.ts';

/** What another program or machine changes cannot be journalled. */
const FOREIGN: readonly string[] = ['executes', 'network'];
/** They change entries of a store, not files. */
const OF_THE_STORE: readonly string[] = ['audit', 'integrity', 'locks', 'notify', 'queue', 'reliability', 'scheduler', 'watch'];

for (const { about, action } of await loadActions()) {
  const changesFiles = about.effects.some((effect) => effect === 'writes' || effect === 'removes') && !OF_THE_STORE.includes(about.family);
  if (!changesFiles || about.effects.some((effect) => FOREIGN.includes(effect)) || action.examples.length === 0) continue;
  describe(about.name, () => {
    for (const [at, { files = {}, dirs = [], links = {}, after = [], args }] of action.examples.entries()) {
      test(`leaves nothing after it was undone (example ${at + 1})`, async () => {
        using dir = tempDir();
        mkdirSync(dir.at('w'));
        for (const [path, content] of Object.entries(files))
          dir.write(`w/${path}`, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
        for (const path of dirs) mkdirSync(dir.at(`w/${path}`), { recursive: true });
        for (const [path, target] of Object.entries(links)) symlinkSync(target, dir.at(`w/${path}`));
        await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
        await house.factotum.run(after);
        const before = look(dir.at('w'));
        const { run_id, results } = await house.run([[about.name, args]]);
        expect(results).toMatchObject([{ status: 'ok' }]);
        if ((await house.store.undo.list(run_id)).length > 0) expect(await house.undoRun(run_id)).toMatchObject({ status: 'ok' });
        expect(look(dir.at('w'))).toEqual(before);
      });
    }
  });
}
