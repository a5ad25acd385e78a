import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { TracingOptions } from '../../core/ports/tracing.ts';
import type { RunBegun, RunObserver } from '../../core/ports.ts';
import type { ErrorRecord, Outcome, RunResult } from '../../core/result.ts';
import { startsOf } from './starts.ts';

/** Makes an observer that hands spans of runs and commands to the SDK of the program. */
export const createSpans = ({ serviceName, attributes }: TracingOptions): { readonly observer: RunObserver; readonly hasSdk: boolean } => {
  const tracer = provider().getTracer('factotum');
  const under = new Map<string, Span>();
  const common: Attributes = { 'service.name': serviceName, ...attributes };

  const openRun = ({ runId, caller, source, startedAt }: RunBegun): Span =>
    tracer.startSpan('factotum.run', {
      kind: source === 'library' || source === 'cli' ? SpanKind.INTERNAL : SpanKind.SERVER,
      startTime: startedAt,
      attributes: { ...common, 'factotum.run_id': runId, 'factotum.caller': caller, 'factotum.source': source },
    });

  const traceList = (list: RunResult, startMs: number, parent: Context): void => {
    const starts = startsOf(list);
    for (const [at, outcome] of list.results.entries()) traceCommand(outcome, startMs + (starts[at] ?? 0), parent);
  };

  const traceCommand = (outcome: Outcome, startMs: number, parent: Context): void => {
    if (outcome.status === 'skipped' || outcome.status === 'reused') return;
    const { index, id, action, status, steps, error, duration_ms } = outcome;
    const span = tracer.startSpan(
      `factotum.action ${action ?? 'unknown'}`,
      {
        startTime: startMs,
        attributes: {
          'factotum.action': action ?? 'unknown',
          'factotum.index': index,
          'factotum.status': status,
          ...(id !== undefined && { 'factotum.node': id }),
        },
      },
      parent,
    );
    const inside = trace.setSpan(parent, span);
    let innerMs = startMs;
    for (const nested of [steps ?? []].flat()) {
      traceList(nested, innerMs, inside);
      innerMs += nested.duration_ms;
    }
    close(span, status !== 'failed' && status !== 'cancelled' && status !== 'indeterminate', error, startMs + duration_ms);
  };

  return {
    hasSdk: tracerRecords(tracer.startSpan('factotum.probe')),
    observer: {
      begun: (run) => void under.set(run.runId, openRun(run)),
      ended(run, result) {
        const span = under.get(run.runId) ?? openRun(run);
        under.delete(run.runId);
        const startMs = run.startedAt.getTime();
        if (result !== undefined) traceList(result, startMs, trace.setSpan(context.active(), span));
        span.setAttribute('factotum.status', result?.status ?? 'refused');
        close(span, result?.ok === true, undefined, startMs + (result?.duration_ms ?? 0));
      },
    },
  };
};

/** Where all copies of the API in a process find what was registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * What the SDK has registered. A copy of the API does not look at what an older one has put there, and the SDKs for Node 20 bring an older
 * one; what a provider does has not changed between them.
 */
const provider = (): TracerProvider => {
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  const found = typeof registered === 'object' && registered !== null && 'trace' in registered ? registered.trace : undefined;
  return (found as TracerProvider | undefined) ?? trace.getTracerProvider(); // only the API registers something there
};

/** Error messages may quote what a command met; the type is enough to find the run in the history. */
const close = (span: Span, isOk: boolean, error: ErrorRecord | undefined, endMs: number): void => {
  if (!isOk) span.setStatus({ code: SpanStatusCode.ERROR, ...(error !== undefined && { message: error.type }) });
  if (error !== undefined) span.setAttribute('error.type', error.type);
  span.end(endMs);
};

/** Without an SDK the API hands out spans without an identity. The one asked here is never ended, so nobody exports it. */
const tracerRecords = (probe: Span): boolean => trace.isSpanContextValid(probe.spanContext());
