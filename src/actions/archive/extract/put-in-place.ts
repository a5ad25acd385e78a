import { dirname, join } from 'node:path';
import { makeWay } from '../../../core/conflict.ts';
import type { Context } from '../../../core/context.ts';
import { dirModeFrom, timeFrom } from './attributes.ts';
import type { Decision } from './decide.ts';
import { dirMaker } from './make-dirs.ts';
import type { Stage } from './stage.ts';

/** Moves a filled stage to where it belongs: as a whole where nothing is there, else entry by entry. */
export const putInPlace = async (context: Context, stage: Stage, decisions: readonly Decision[], root: string): Promise<void> => {
  const { files, signal } = context;
  if ((await files.stat(root)) !== undefined) return merge(context, stage, decisions, root);
  await dressDirectories(context, decisions, stage.path);
  await files.setMode(stage.path, stage.openMode);
  await files.move(stage.path, root, { signal });
  stage.release();
};

const merge = async (context: Context, stage: Stage, decisions: readonly Decision[], root: string): Promise<void> => {
  const { files, signal } = context;
  const makeDir = dirMaker(files, root);
  const fresh: Decision[] = [];
  for (const decision of decisions) {
    const { judged, to, replaces, trashes } = decision;
    if (to === undefined) continue;
    const isNew = await makeDir(judged.kind === 'dir' ? to : dirname(to));
    if (trashes) await makeWay(context, to);
    // What went into the trash leaves a free name: what others put there meanwhile has not.
    if (judged.kind !== 'dir') await files.move(join(stage.path, ...judged.segments), to, { signal, exclusive: !replaces || trashes });
    else if (isNew) fresh.push(decision);
  }
  await dressDirectories(context, fresh, root);
};

/** Done last, because filling a directory changes its time. */
const dressDirectories = async ({ files }: Context, decisions: readonly Decision[], below: string): Promise<void> => {
  for (const { judged } of decisions.filter((each) => each.judged.kind === 'dir').reverse()) {
    const path = join(below, ...judged.segments);
    await files.setMode(path, dirModeFrom(judged.entry));
    const { mtimeMs } = timeFrom(judged.entry);
    if (mtimeMs !== undefined) await files.setTimes(path, { mtimeMs });
  }
};
