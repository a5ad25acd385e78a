import type { Caller } from '../../../access/caller.ts';
import { CancelledException } from '../../../core/errors.ts';
import { isLargeResult } from '../../../core/json-pieces.ts';
import type { Runs } from '../../../core/ports/runs.ts';
import type { RunResult } from '../../../core/result.ts';
import { resultText } from '../../../core/result-text.ts';
import { readJsonInSlices } from '../../../lib/json/read-in-slices.ts';
import type { Doorway } from '../../door.ts';
import { Refused } from '../refuse.ts';
import type { Answer, Exchange, Route } from '../route.ts';
import { keyInUse, keyOf, keyReused } from './runs/key.ts';
import { recordedResult } from './runs/wire.ts';

/** `POST /actions`: a list in, its result out; and the ping. Without `runs` nothing is remembered, so no key can be honoured. */
export const actionRoutes = ({ gateway, limits }: Doorway, runs?: Runs<Caller>): readonly Route[] => [
  {
    method: 'POST',
    path: '/actions',
    takesJson: true,
    async handle(exchange): Promise<Answer> {
      const { caller } = exchange;
      exchange.enter();
      const stop = stopOnDisconnect(exchange);
      const key = keyOf(exchange.request);
      const reading = readJsonInSlices(await exchange.body(), { maxDepth: limits.jsonDepth });
      const request = reading instanceof Promise ? await reading : reading;
      const call = { caller, source: 'http', signal: stop };
      const result = key === undefined ? await gateway.run(request, call) : await runOnce(runs, request, { ...call, key, isAwaited: true });
      return { status: 200, json: result, isLarge: isLargeResult(result), write: writeResult, headers: { 'X-Run-Id': result.run_id } };
    },
  },
  { method: 'OPTIONS', path: '/actions', handle: () => ({ status: 204, headers: { Allow: 'POST, GET, OPTIONS' } }) },
];

/** Masking keeps the shape. */
const writeResult = (json: unknown): string => resultText(json as RunResult);

/** The same key and list again get the recorded answer. */
const runOnce = async (
  runs: Runs<Caller> | undefined,
  request: unknown,
  options: Parameters<Runs<Caller>['start']>[1],
): Promise<RunResult> => {
  if (runs === undefined) throw new Refused(400, 'no-history', 'This service keeps no history, so it cannot honour an Idempotency-Key.');
  const { runId, isSameBody, finished } = await runs.start(request, options);
  if (!isSameBody) throw keyReused();
  if (finished !== undefined) return finished;
  const run = await runs.get(runId);
  const result = run === null ? undefined : recordedResult(run);
  if (result === undefined) throw keyInUse(runId);
  return result;
};

/** A client that goes away cancels nothing, unless it said before that it wants so. */
const stopOnDisconnect = ({ request, response }: Exchange): AbortSignal | undefined => {
  if (request.fields.cancelOnDisconnect !== 'true') return undefined;
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(clientGone());
  });
  return controller.signal;
};

const clientGone = () => new CancelledException('The client closed its connection and had asked to cancel then.');
