import { jsonPieces } from '../../../core/json-pieces.ts';
import { ValueSizes } from '../../../core/value-size.ts';
import type { FinishedRun } from '../port/runs.ts';
import type { RunCalls } from './repositories.ts';

/** About what is sent and committed at a time: some milliseconds of work. */
const PIECE_BYTES = 256 * 1024;
const PIECE_COMMANDS = 256;

/** Records a long run piece by piece, each committed before the next is sent, so that others have their turn in between. */
export const recordInPieces = async (run: FinishedRun, { draft, record }: Pick<RunCalls, 'draft' | 'record'>): Promise<void> => {
  const { runId } = run;
  let at = 0;
  for (const text of jsonPieces(run.body)) {
    await draft(runId, at, { text });
    at += 1;
  }
  for (const commands of someAtATime(run.commands)) {
    await draft(runId, at, { commands });
    at += 1;
  }
  await record({ ...run, body: null, commands: [] }, 'drafted');
};

function* someAtATime(commands: FinishedRun['commands']): Generator<FinishedRun['commands'], void> {
  const sizes = new ValueSizes();
  let some: FinishedRun['commands'][number][] = [];
  let bytes = 0;
  for (const command of commands) {
    some.push(command);
    bytes += Math.min(PIECE_BYTES, sizes.of(command, PIECE_BYTES));
    if (some.length < PIECE_COMMANDS && bytes < PIECE_BYTES) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}
