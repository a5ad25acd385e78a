import type { Tracing, TracingOptions } from '../../core/ports/tracing.ts';
import type { Log, RunObserver } from '../../core/ports.ts';

export interface TracingParts {
  /** Tells an observer of every run from now on; answers how to stop that. */
  observe(observer: RunObserver): () => void;
  readonly log: Log;
}

export interface TracingService extends Tracing {
  /** Makes no more spans. */
  stop(): void;
}

/** Spans of one house. Until they are wanted nothing is loaded and nobody is told of runs. */
export const createTracing = ({ observe, log }: TracingParts): TracingService => {
  let stop: (() => void) | undefined;
  let starting: Promise<unknown> = Promise.resolve();

  const start = async (options: TracingOptions) => {
    const { createSpans } = await import('./spans.ts');
    const { observer, hasSdk } = createSpans(options);
    const started = stop === undefined;
    if (started) stop = observe(isolated(observer, log));
    return { started, hasSdk };
  };

  return {
    get isOn() {
      return stop !== undefined;
    },
    start(options) {
      const answer = starting.then(() => start(options));
      starting = answer.catch(() => {}); // whoever asked hears of it
      return answer;
    },
    stop() {
      stop?.();
      stop = undefined;
    },
  };
};

/** The SDK is the program's own; what goes wrong in it must not reach a run. */
const isolated = ({ begun, ended }: RunObserver, log: Log): RunObserver => {
  let isWell = true;
  const safely = (work: () => void) => {
    try {
      work();
      isWell = true;
    } catch (fault) {
      if (isWell) log('warn', 'OpenTelemetry did not take a span.', { reason: String(fault) });
      isWell = false;
    }
  };
  return { begun: (run) => safely(() => begun(run)), ended: (run, result) => safely(() => ended(run, result)) };
};
