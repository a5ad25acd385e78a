import { spaceIn } from '../../core/name-space.ts';
import type { LimitSnapshot } from '../../core/ports/limits.ts';
import type { Meters, MetricsText, RunObserver } from '../../core/ports.ts';
import type { Registry } from '../../core/registry.ts';
import type { Outcome, RunResult } from '../../core/result.ts';
import { createExposition } from './exposition.ts';
import { createDurations, createNumbers, type NumbersOptions, type Series } from './series.ts';

export interface MetricsOptions {
  /** Tells which names are actions: others count under one label, so that nobody can fill our memory with made-up ones. */
  readonly registry: Pick<Registry, 'about'>;
  /** The limits that are not as good as new. Asked whenever somebody looks: other processes change them too, and so did earlier ones. */
  limits(): Promise<readonly LimitSnapshot[]>;
  /** How many runs are under way. Asked for: counting may start while there are some. */
  inFlight(): number;
}

/** The figures of a house: told by runs and services, asked for by collectors. */
export interface Metrics extends MetricsText {
  readonly observer: RunObserver;
  readonly meters: Meters;
}

const BUCKETS_S = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const BREAKER_STATES = { closed: 0, half_open: 1, open: 2 } as const;
/** Names may be made of paths or dates; more of them than this help nobody who looks. */
const MOST_BREAKERS = 1_000;
const UNKNOWN = 'unknown';

/** Makes the figures of one house; nothing is loaded before somebody asks for them. */
export const createMetrics = ({ registry, limits, inFlight: runsInFlight }: MetricsOptions): Metrics => {
  const actions = counter('factotum_actions_total', 'Commands by action and how they ended.', ['action', 'status']);
  const durations = createDurations({
    name: 'factotum_action_duration_seconds',
    help: 'How long commands took that ran to their end.',
    label: 'action',
    buckets: BUCKETS_S,
  });
  const runs = counter('factotum_runs_total', 'Runs by caller and how they ended.', ['caller', 'status']);
  const inFlight: Series = {
    name: 'factotum_runs_in_flight',
    help: 'Runs under way.',
    type: 'gauge',
    samples: () => [{ labels: {}, value: runsInFlight() }],
  };
  const queues = gauge('factotum_queue_depth', 'Items that wait in a queue.', ['queue']);
  const fires = counter('factotum_schedule_fires_total', 'Times that a schedule was due, by what came of it.', ['result']);
  const events = counter('factotum_watch_events_total', 'Changes of files that watchers saw.', ['kind']);
  const notifications = counter('factotum_notifications_total', 'Notifications by sink and what came of them.', ['sink', 'result']);
  const transfers = counter('factotum_transfer_bytes_total', 'Bytes moved from and to storage.', ['backend', 'direction']);
  const breakers = gauge('factotum_breaker_state', 'Circuit breakers: 0 closed, 1 half open, 2 open.', ['name']);
  const ofCallers = gauge('factotum_caller_breakers', 'Circuit breakers of callers with limits that are not closed.', ['caller', 'state']);
  const all = [actions, durations, runs, inFlight, queues, fires, events, notifications, transfers, breakers, ofCallers];

  const count = ({ action, status, duration_ms }: Outcome) => {
    const name = (action === null ? undefined : registry.about(action)?.name) ?? UNKNOWN;
    actions.add(1, name, status);
    // The others did not run, or not to their end: their time says nothing about the action.
    if (status === 'ok' || status === 'failed') durations.observe(duration_ms / 1000, name);
  };

  /** Breakers come into sight when they open, and stay there when they close. What callers call theirs is nobody else's affair: they are counted. */
  const lookAtBreakers = async (): Promise<void> => {
    const snapshots = await limits();
    for (const { labels } of breakers.samples()) breakers.set(BREAKER_STATES.closed, labels.name ?? '');
    for (const { labels } of ofCallers.samples()) ofCallers.set(0, labels.caller ?? '', labels.state);
    const shown = new Set(breakers.samples().map(({ labels }) => labels.name));
    for (const each of snapshots) {
      if (each.kind !== 'circuit_breaker' || each.state === 'closed') continue;
      const caller = spaceIn(each.name);
      if (caller !== undefined) ofCallers.add(1, caller, each.state);
      else if (shown.has(each.name) || shown.size < MOST_BREAKERS) {
        shown.add(each.name);
        breakers.set(BREAKER_STATES[each.state], each.name);
      }
    }
  };
  const { render } = createExposition(all);

  return {
    observer: {
      begun() {},
      ended(run, result) {
        runs.add(1, run.caller, result?.status ?? 'failed');
        if (result !== undefined) visitOutcomes(result, count);
      },
    },
    meters: {
      queueDepth: (queue, depth) => queues.set(depth, queue),
      scheduleFired: (result) => fires.add(1, result),
      watchEvent: (kind) => events.add(1, kind),
      notified: (sink, result) => notifications.add(1, sink, result),
      transferred: (backend, direction, bytes) => transfers.add(bytes, backend, direction),
    },
    async render() {
      await lookAtBreakers();
      return render();
    },
  };
};

const counter = (name: string, help: string, labels: NumbersOptions['labels']) => createNumbers({ name, help, type: 'counter', labels });
const gauge = (name: string, help: string, labels: NumbersOptions['labels']) => createNumbers({ name, help, type: 'gauge', labels });

/** Shows every command of a run, those of nested lists too. */
const visitOutcomes = (result: RunResult, visit: (outcome: Outcome) => void): void => {
  const lists = [result];
  for (let list = lists.pop(); list !== undefined; list = lists.pop()) {
    for (const outcome of list.results) {
      visit(outcome);
      const nested = outcome.steps ?? outcome.plan?.steps;
      // One by one: a loop over many items has as many lists.
      if (nested !== undefined) for (const each of [nested].flat()) lists.push(each);
    }
  }
};
