import { expect, test } from 'vitest';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { tempDir } from '../support/temp-dir.ts';
import { loadActions } from './all-actions.ts';
import { planAndRun, SCENES, setScene, triedOf } from './wrong-scenes.ts';

// A command that would fail fails in the dry run too, with the same type, whatever stands where its paths lead.

/** Where plan and run may end differently: the argument, the scenes, and why no plan can know better. */
const ALLOWED: readonly (readonly [place: string, scenes: readonly string[], why: string])[] = [
  ['FA_queue_ack db_path', ['a file'], 'who has claimed an item is known to the store alone'],
  ['FA_queue_nack db_path', ['a file'], 'who has claimed an item is known to the store alone'],
  ['FA_lock_refresh db_path', ['a file'], 'who holds a lock is known to the store alone'],
  ...['FA_audit_purge', 'FA_lock_refresh', 'FA_queue_ack', 'FA_queue_dequeue', 'FA_queue_nack', 'FA_queue_purge'].map(
    (name) =>
      [
        `${name} db_path`,
        ['in a directory that cannot be written'],
        'a store that is there is written in place, where the driver of this Node can',
      ] as const,
  ),
];

const isAllowed = (place: string, scene: string): boolean => ALLOWED.some(([where, scenes]) => where === place && scenes.includes(scene));

test('a plan ends as its run does, whatever stands in the way', { timeout: 300_000 }, async () => {
  using dir = tempDir();
  const tried = (await loadActions()).flatMap(triedOf);
  const differences: string[] = [];
  let count = 0;
  await asOrdinaryUser(dir.path, async () => {
    for (const each of tried) {
      const place = `${each.name} ${each.argument}`;
      const template = dir.at(place);
      await setScene(template, each.example);
      for (const [scene, spoil] of Object.entries(SCENES)) {
        const ends = await planAndRun(each, spoil, { template, directory: dir.at('case') });
        if (ends === undefined) continue;
        count += 1;
        const [planned, done] = ends.map((outcome) => outcome?.error?.type ?? 'ok');
        if (planned !== done && !isAllowed(place, scene)) differences.push(`${place}, ${scene}: planned ${planned}, came to ${done}`);
      }
    }
  });
  expect(count).toBeGreaterThan(1500);
  expect(differences).toEqual([]);
});
