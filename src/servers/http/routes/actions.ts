import { CancelledException } from '../../../core/errors.ts';
import { readJson } from '../../../lib/json/read.ts';
import type { Doorway } from '../../door.ts';
import { Refused } from '../refuse.ts';
import type { Answer, Exchange, Route } from '../route.ts';

/** `POST /actions`: a list in, its result out; and the ping. */
export const actionRoutes = ({ gateway, turnstile, limits }: Doorway): readonly Route[] => [
  {
    method: 'POST',
    path: '/actions',
    takesJson: true,
    async handle(exchange) {
      const { caller } = exchange;
      const wait = turnstile.enter(caller);
      if (wait !== undefined) throw mustWait(wait);
      const stop = stopOnDisconnect(exchange);
      try {
        const request = readJson(await exchange.body(), { maxDepth: limits.jsonDepth });
        const result = await gateway.run(request, { caller, source: 'http', ...(stop && { signal: stop }) });
        return { status: 200, json: result, headers: { 'X-Run-Id': result.run_id } } satisfies Answer;
      } finally {
        turnstile.leave();
      }
    },
  },
  { method: 'OPTIONS', path: '/actions', handle: () => ({ status: 204, headers: { Allow: 'POST, GET, OPTIONS' } }) },
];

const WHY = {
  draining: [503, 'draining', 'The service is stopping; try another one or later.'],
  busy: [503, 'too-many-in-flight', 'Too many lists are under way; try again.'],
  rate: [429, 'too-many-requests', 'This caller has sent too many requests in a minute.'],
} as const;

const mustWait = ({ reason, retryAfterS }: NonNullable<ReturnType<Doorway['turnstile']['enter']>>): Refused => {
  const [status, kind, detail] = WHY[reason];
  return new Refused(status, kind, detail, { 'Retry-After': String(retryAfterS) });
};

/** A client that goes away cancels nothing, unless it said before that it wants so. */
const stopOnDisconnect = ({ request, response }: Exchange): AbortSignal | undefined => {
  if (request.headers['x-cancel-on-disconnect'] !== 'true') return undefined;
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(clientGone());
  });
  return controller.signal;
};

const clientGone = () => new CancelledException('The client closed its connection and had asked to cancel then.');
