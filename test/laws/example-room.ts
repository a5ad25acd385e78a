import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, test } from 'vitest';
import { createInstance } from '../../src/app/create.ts';
import type { InstanceOptions } from '../../src/app/instance/instance.ts';
import type { Example } from '../../src/core/example.ts';
import type { Ready } from '../../src/core/ready.ts';
import type { RunResult } from '../../src/core/result.ts';
import { tempDir } from '../support/temp-dir.ts';
import { loadActions } from './all-actions.ts';

/** A fresh directory with what an example needs, and the means to run it there. */
export interface ExampleRoom extends AsyncDisposable {
  readonly path: string;
  read(name: string): string | undefined;
  run(options?: { readonly dryRun?: boolean; readonly expectPlan?: string | undefined; readonly signal?: AbortSignal }): Promise<RunResult>;
}

/** Judges one example in its room. */
type Judge = (room: ExampleRoom, example: Example, ready: Ready) => Promise<void>;

/** Makes one test for each example of each action. */
export const testEachExample = async (law: string, judge: Judge): Promise<void> => {
  for (const ready of await loadActions()) {
    const { about, action } = ready;
    if (action.examples.length === 0) continue; // registry.test.ts has a word about that
    // An example that talks to another machine cannot run in an empty directory; the tests of its family bring the peer.
    const needsPeer = about.effects.includes('network');
    describe.skipIf(needsPeer)(`${about.name} ${needsPeer ? 'needs another machine for its examples' : law}`, () => {
      for (const [at, example] of action.examples.entries()) {
        test(`example ${at + 1}${example.about === undefined ? '' : `: ${example.about}`}`, async () => {
          await using room = await openRoom(about.name, example);
          await judge(room, example, ready);
        });
      }
    });
  }
};

export const openRoom = async (
  name: string,
  { files = {}, dirs = [], links = {}, after = [], args }: Example,
  options: InstanceOptions = {},
): Promise<ExampleRoom> => {
  const contents = Object.entries(files).map(
    ([path, content]) => [path, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64')] as const,
  );
  const dir = tempDir(Object.fromEntries(contents));
  for (const path of dirs) mkdirSync(dir.at(path), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, dir.at(path));
  const factotum = createInstance({ cwd: dir.path, log: { level: 'error' }, ...options });
  const scene = await factotum.run(after);
  if (!scene.ok) throw new Error(`the scene of an example of ${name} cannot be set: ${JSON.stringify(scene.results)}`);
  return {
    path: dir.path,
    read: dir.read,
    run: ({ dryRun = false, expectPlan, signal } = {}) =>
      factotum.run(
        { actions: [[name, args]], dry_run: dryRun, ...(expectPlan !== undefined && { expect_plan: expectPlan }) },
        signal === undefined ? {} : { signal },
      ),
    async [Symbol.asyncDispose]() {
      await factotum.close();
      dir[Symbol.dispose]();
    },
  };
};
