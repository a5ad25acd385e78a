import type { ActionMap } from '../app/actions.generated.ts';
import type { CallArguments } from '../app/typed/call.ts';
import type { ActionTable, NameIn } from '../app/typed/commands.ts';
import type { ListRequest, NamesIn, ResultOf } from '../app/typed/lists.ts';
import type { Description } from '../core/description.ts';
import type { Snapshot } from '../core/progress.ts';
import type { RunResult } from '../core/result.ts';
import { failureOf, HTTPActionClientException } from './exceptions.ts';
import { followProgress, type SocketConstructor } from './follow.ts';
import { followRun, type RunEvent } from './follow-run.ts';
import { demandKnown, type KnownKeys } from './known-options.ts';
import { isRepeatable } from './repeatable.ts';
import { type Accepted, type RunRecord, type RunsPage, type RunsQuery, runPath, textOf } from './runs.ts';
import { malformed } from './troubles.ts';
import { type CallOptions, openWire, type Sending, type Wire, type WireOptions } from './wire.ts';

export interface ClientOptions extends WireOptions {
  /** For `followProgress` where the runtime has none, and to send a secret with. */
  readonly WebSocket?: SocketConstructor;
}

/** What `ready` answers. */
export type Readiness = { readonly status: 'ready'; readonly actions: number } | { readonly status: 'not_ready'; readonly reason: string };

interface FollowOptions {
  readonly signal?: AbortSignal;
}

const FOLLOW: KnownKeys<FollowOptions> = { signal: true };
const QUERY: KnownKeys<RunsQuery> = {
  status: true,
  action: true,
  caller: true,
  since: true,
  until: true,
  text: true,
  cursor: true,
  limit: true,
};

const always = () => true;
const never = () => false;

/**
 * Calls a factotum server over HTTP. Requests are typed by the names of actions; a program with actions of its own says so:
 * `new HTTPActionClient<ActionMap & { FA_mine: { args: { readonly path: string }; value: boolean } }>(url)`.
 */
export class HTTPActionClient<M extends ActionTable<M> = ActionMap> {
  readonly #wire: Wire;
  readonly #WebSocket: SocketConstructor | undefined;

  constructor(baseUrl: string | URL, { WebSocket, ...options }: ClientOptions = {}) {
    this.#wire = openWire(baseUrl, options);
    this.#WebSocket = WebSocket;
  }

  /** Runs a list, plain or wrapped, or a graph. Failed commands stand in the result; a refused request throws. */
  async execute<const N extends NamesIn<M>>(request: ListRequest<M, N>, options: CallOptions = {}): Promise<ResultOf<M, N>> {
    return this.#run(request, options) as Promise<ResultOf<M, N>>; // the server answers with one entry for each command
  }

  /** Runs one action and gives its value; throws an `ActionFailure` of the class of its error when it fails. */
  async call<N extends NameIn<M>>(name: N, ...[args, options]: CallArguments<M, N, CallOptions>): Promise<M[N]['value']> {
    const result = await this.#run([[name, args ?? {}]], options ?? {});
    const [outcome] = result.results;
    if (outcome?.status === 'ok') return outcome.value;
    throw outcome === undefined ? this.#noResult() : failureOf(result, outcome);
  }

  /** Tells what a list or a graph would do and changes nothing. Its `plan_hash`, sent as `expect_plan`, runs exactly that. */
  plan<const N extends NamesIn<M>>(request: ListRequest<M, N>, options: CallOptions = {}): Promise<RunResult> {
    return this.#run(Array.isArray(request) ? { actions: request, dry_run: true } : { ...request, dry_run: true }, options);
  }

  /** Describes every action that this caller may run. */
  async actions(options: CallOptions = {}): Promise<readonly Description[]> {
    const { actions } = await this.#ask<{ readonly actions: readonly Description[] }>('actions', { ...options, mayRepeat: always });
    return actions;
  }

  /** Describes one action. */
  describe(name: NameIn<M> | (string & Record<never, never>), options: CallOptions = {}): Promise<Description> {
    return this.#ask(`actions/${encodeURIComponent(name)}`, { ...options, mayRepeat: always });
  }

  /** Whether the server is there; throws when it is and refuses this caller. */
  async ping(options: CallOptions = {}): Promise<boolean> {
    try {
      await this.#wire.send({ ...options, method: 'OPTIONS', path: 'actions', mayRepeat: never });
      return true;
    } catch (fault) {
      if (fault instanceof HTTPActionClientException && (fault.trouble === 'unreachable' || fault.trouble === 'timeout')) return false;
      throw fault;
    }
  }

  /** Answers while the process of the server lives; needs no secret. */
  health(options: CallOptions = {}): Promise<{ readonly status: 'ok' }> {
    return this.#ask('healthz', { ...options, mayRepeat: never });
  }

  /** Whether the server takes lists, and why not; needs no secret. */
  ready(options: CallOptions = {}): Promise<Readiness> {
    return this.#ask('readyz', { ...options, mayRepeat: never, answers: [503] });
  }

  /** How far all work of the server is, over and over: `for await (const snapshots of client.followProgress()) …`. */
  followProgress(options: FollowOptions = {}): AsyncGenerator<readonly Snapshot[], void> {
    demandKnown(options, FOLLOW, 'followProgress');
    return followProgress(this.#wire, { signal: options.signal, WebSocket: this.#WebSocket });
  }

  /** Starts a list in the background and gives the id of its run at once. */
  async start<const N extends NamesIn<M>>(request: ListRequest<M, N>, options: CallOptions = {}): Promise<string> {
    return (await this.#change('runs', { ...options, body: request, mayRepeat: () => isRepeatable(request) })).run_id;
  }

  /** Runs that this caller may see, newest first; `cursor` of the answer asks for the next ones. */
  async runs(query: RunsQuery = {}, options: CallOptions = {}): Promise<RunsPage> {
    demandKnown(query, QUERY, 'A query of runs');
    return this.#ask(`runs${textOf(query)}`, { ...options, mayRepeat: always });
  }

  /** Everything that is known of one run. */
  run(runId: string, options: CallOptions = {}): Promise<RunRecord> {
    return this.#ask(runPath(runId), { ...options, mayRepeat: always });
  }

  /** Tells of each command of a run, of its progress and of its end: `for await (const event of client.follow(id)) …`. */
  follow(runId: string, options: FollowOptions = {}): AsyncGenerator<RunEvent, void> {
    demandKnown(options, FOLLOW, 'follow');
    return followRun(this.#wire, runPath(runId, 'events'), options.signal);
  }

  /** Asks a run to stop; `finished` where it was over already. */
  async cancel(runId: string, options: CallOptions = {}): Promise<'cancelled' | 'requested' | 'finished'> {
    return (await this.#change(runPath(runId, 'cancel'), { ...options, mayRepeat: always })).outcome ?? 'requested';
  }

  /** Runs what has not ended well, or all from a command on, as a new run; gives its id. */
  async resume(runId: string, { from, ...options }: CallOptions & { readonly from?: number | string } = {}): Promise<string> {
    const body = from === undefined ? {} : { from };
    return (await this.#change(runPath(runId, 'resume'), { ...options, body, mayRepeat: never })).run_id;
  }

  /** Takes back what a run changed, as a new run; gives its id. */
  async undo(runId: string, options: CallOptions = {}): Promise<string> {
    return (await this.#change(runPath(runId, 'undo'), { ...options, mayRepeat: never })).run_id;
  }

  async #change(path: string, sending: Omit<Sending, 'method' | 'path'>): Promise<Accepted> {
    const answer = await this.#wire.send({ ...sending, method: 'POST', path });
    if (typeof answer === 'object' && answer !== null && 'run_id' in answer) return answer as Accepted; // by the contract of the route
    throw malformed(this.#wire.url, 'gave no run');
  }

  async #ask<T extends object>(path: string, sending: Omit<Sending, 'method' | 'path'>): Promise<T> {
    const answer = await this.#wire.send({ ...sending, method: 'GET', path });
    if (typeof answer === 'object' && answer !== null) return answer as T; // by the contract of the route
    throw malformed(this.#wire.url, 'gave no answer to this question');
  }

  async #run(request: unknown, options: CallOptions): Promise<RunResult> {
    const mayRepeat = () => isRepeatable(request);
    const answer = await this.#wire.send({ ...options, method: 'POST', path: 'actions', body: request, mayRepeat });
    if (typeof answer === 'object' && answer !== null && 'results' in answer && 'run_id' in answer) return answer as RunResult; // as above
    throw this.#noResult();
  }

  #noResult(): HTTPActionClientException {
    return malformed(this.#wire.url, 'gave something that is no result');
  }
}
