import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadActions } from '../../laws/all-actions.ts';
import { type FailingCalls, type FailureCode, openFailingCalls } from '../../support/failing-calls.ts';
import { seeded } from '../../support/seeded.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { rounds, seedOf } from '../../support/torture.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { scenesOf } from '../../support/trials/writing-actions.ts';
import { faultsOf, healthyOf, tryOut } from './scenes.ts';

// Every action that writes, on a device that fails at one call: whichever call that is, what is called ok is on the disk, and where it fails
// every file is the old one or the whole new one. The long torture comes to every call of every example.

const SEED = seedOf(20_261_118);
const CODES: readonly FailureCode[] = ['EIO', 'ENOSPC', 'EROFS'];
/** How many codes an example meets, and at how many of its calls each. */
const MOST_CODES = rounds(1, CODES.length);
const scenes = scenesOf(await loadActions());
const trial = trialOf('failing-calls', scenes.length);

let calls: FailingCalls;
beforeAll(async () => {
  calls = await openFailingCalls();
});
afterAll(() => calls[Symbol.dispose]());

/** What could not be taken away because that was what failed: ours by its name, and swept or passed over later. */
const isLitter = (fault: string, failed = ''): boolean =>
  fault.includes('.claim-v') || (REMOVALS.has(failed) && fault.includes('.factotum-'));
const REMOVALS: ReadonlySet<string> = new Set(['unlink', 'rmdir', 'rm']);

/** Some of the calls, or all. */
const chosen = (count: number, random: () => number): readonly number[] =>
  count <= trial.each ? Array.from({ length: count }, (_, at) => at) : [Math.floor(random() * count)];

describe(`on a device that fails at one call (seed ${SEED})`, () => {
  test.each(scenes.map((scene, at) => [scene.name, scene.at + 1, scene, at] as const))(
    '%s, example %i, leaves every file old or new, and says which',
    async (_name, _at, scene, place) => {
      const random = seeded(SEED + place);
      using dir = tempDir();
      const room = dir.at('room');
      const nowMs = Date.now();
      const healthy = healthyOf(await tryOut(room, scene, { nowMs }), await tryOut(room, scene, { nowMs }));
      const play = async (code: FailureCode, at: number) => {
        let made = { count: 0, failed: undefined as string | undefined };
        const tried = await tryOut(room, scene, {
          nowMs,
          worsen: () => calls.begin({ code, at, below: dir.path }),
          mend: () => {
            made = calls.end();
          },
        });
        return { tried, ...made };
      };
      let met = 0;
      for (const code of [...CODES, ...CODES].slice(place % CODES.length).slice(0, CODES.length)) {
        if (met === MOST_CODES) break;
        const { count } = await play(code, Number.POSITIVE_INFINITY);
        if (count === 0) continue; // it has nothing to change, and only looks
        met += 1;
        for (const at of chosen(count, random)) {
          const { tried, failed } = await play(code, at);
          trial.did();
          const where = `${code} at call ${at} of ${count}, ${failed}: ${tried.outcome?.error?.message}`;
          expect.soft(tried.outcome?.error?.type, where).not.toBe('InternalException');
          expect
            .soft(
              faultsOf(tried, healthy).filter((fault) => !isLitter(fault, failed)),
              where,
            )
            .toEqual([]);
        }
      }
    },
  );
});
