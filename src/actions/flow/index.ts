// Lists inside lists: run, branch, repeat, check, and what is known about actions. Limits around lists are reliability/.
// Read execute-action.ts first: a nested list enters the same pipeline through ctx.runSteps.
import { defineFamily } from '../../core/action.ts';
import { assert, fail } from './assert.ts';
import { callback } from './callback.ts';
import { ifExists, ifNewer, ifSizeGt, ifValue } from './conditions.ts';
import { executeAction } from './execute-action.ts';
import { executeActionDag } from './execute-action-dag.ts';
import { executeActionParallel } from './execute-action-parallel.ts';
import { executeFiles } from './execute-files.ts';
import { forEachAction } from './for-each.ts';
import { describe, listActions, substitute, validate } from './inspection.ts';

export const flow = defineFamily({
  name: 'flow',
  group: 'flow',
  summary: 'Lists inside lists: run, branch, repeat, check.',
  actions: [
    ifExists,
    ifNewer,
    ifSizeGt,
    executeActionDag,
    executeAction,
    executeFiles,
    executeActionParallel,
    validate,
    substitute,
    callback,
    listActions,
    describe,
    forEachAction,
    ifValue,
    assert,
    fail,
  ],
});
