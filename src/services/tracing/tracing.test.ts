import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type SpanStatus,
  type TimeInput,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { startsOf } from './starts.ts';

/** A span as an SDK would export it. */
interface Exported {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Attributes;
  readonly status: SpanStatus | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

/** The least that an SDK is: it gives spans an identity and keeps those that ended. */
const createSdk = (): { readonly exported: Exported[]; readonly provider: TracerProvider } => {
  const exported: Exported[] = [];
  const names = new Map<string, string>();
  let made = 0;
  const startSpan = (name: string, options: SpanOptions = {}, parent: Context = ROOT_CONTEXT): Span => {
    made += 1;
    const spanId = made.toString(16).padStart(16, '0');
    names.set(spanId, name);
    const attributes: Attributes = { ...options.attributes };
    let status: SpanStatus | undefined;
    const span: Span = {
      spanContext: () => ({ traceId: '1'.repeat(32), spanId, traceFlags: 1 }),
      setAttribute(key, value) {
        attributes[key] = value;
        return span;
      },
      setAttributes: () => span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus(given) {
        status = given;
        return span;
      },
      updateName: () => span,
      end: (end) =>
        void exported.push({
          name,
          parent: names.get(trace.getSpanContext(parent)?.spanId ?? ''),
          attributes,
          status,
          startMs: ms(options.startTime),
          endMs: ms(end),
        }),
      isRecording: () => true,
      recordException: () => {},
    };
    return span;
  };
  return { exported, provider: providerOf(startSpan) };
};

const providerOf = (startSpan: Tracer['startSpan']): TracerProvider => ({
  getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }), // the second is not used
});

const ms = (time: TimeInput | undefined): number => (time instanceof Date ? time.getTime() : Number(time));

afterEach(() => trace.disable());

test('after FA_tracing_init a run has a span with one below it for each command, nested ones too', async () => {
  const { exported, provider } = createSdk();
  trace.setGlobalTracerProvider(provider);
  await using house = openHouse();
  const init = ['FA_tracing_init', { service_name: 'files', resource_attributes: { 'deployment.environment': 'test' } }];
  expect((await house.run([init])).results[0]).toMatchObject({ value: true });
  exported.length = 0;
  const { run_id } = await house.run([
    ['FA_with_timeout', { actions: [['FA_create_dir', ['d']]], seconds: 9 }],
    ['FA_copy_file', ['missing', 'b']],
  ]);
  expect(exported.map(({ name, parent }) => [name, parent])).toEqual([
    ['factotum.action FA_create_dir', 'factotum.action FA_with_timeout'],
    ['factotum.action FA_with_timeout', 'factotum.run'],
    ['factotum.action FA_copy_file', 'factotum.run'],
    ['factotum.run', undefined],
  ]);
  const [, , failed, run] = exported;
  expect(failed).toMatchObject({ status: { code: 2, message: 'FileNotExistsException' }, attributes: { 'factotum.status': 'failed' } });
  expect(run?.attributes).toMatchObject({
    'service.name': 'files',
    'deployment.environment': 'test',
    'factotum.run_id': run_id,
    'factotum.caller': 'owner',
    'factotum.status': 'failed',
  });
  for (const { startMs, endMs } of exported) {
    expect(startMs).toBeGreaterThanOrEqual((run?.startMs ?? 0) - 1);
    expect(endMs).toBeGreaterThanOrEqual(startMs);
  }
});

test('an SDK that was registered through an older copy of the API gets the spans', async () => {
  const { exported, provider } = createSdk();
  const shared = Symbol.for('opentelemetry.js.api.1');
  Reflect.set(globalThis, shared, { version: '1.2.0', trace: provider });
  try {
    await using house = openHouse();
    const { results } = await house.run([['FA_tracing_init']]);
    expect(results[0]?.notes).toBeUndefined();
    await house.run([['FA_t_touch']]);
    expect(exported.map(({ name }) => name)).toContain('factotum.action FA_t_touch');
  } finally {
    Reflect.deleteProperty(globalThis, shared);
  }
});

test('it is off until asked for, on once, and says when nobody takes the spans', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_tracing_status'], ['FA_tracing_init'], ['FA_tracing_init'], ['FA_tracing_status']]);
  expect(results.map(({ value }) => value)).toEqual([false, true, false, true]);
  expect(results[1]?.notes?.[0]?.message).toContain('No OpenTelemetry SDK takes the spans');
});

test('an SDK that throws disturbs no run and is told once', async () => {
  const startSpan = (name: string): Span => {
    if (name === 'factotum.probe') return trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
    throw new Error('full');
  };
  trace.setGlobalTracerProvider(providerOf(startSpan));
  await using house = openHouse();
  const list = [['FA_tracing_init'], ['FA_create_dir', ['d']]];
  expect([(await house.run(list)).ok, (await house.run([['FA_t_touch']])).ok]).toEqual([true, true]);
  expect(house.lines.filter((line) => line.includes('OpenTelemetry did not take a span.'))).toHaveLength(1); // not once for each
});

test('an exporter in a list is refused with the way to have one', async () => {
  await using house = openHouse();
  const { results } = await house.run([['FA_tracing_init', { exporter: { url: 'http://127.0.0.1:4318' } }]]);
  expect(results[0]?.error).toMatchObject({ type: 'TracingException', message: expect.stringContaining('--import') });
});

test.each([
  ['one after the other', [5, 5], 10, [0, 5]],
  ['at once', [9, 9], 10, [0, 0]],
  ['nothing', [], 0, []],
])('begins of commands that ran %s', (_, durations, duration_ms, starts) => {
  const results = durations.map((own, index) => ({ index, action: 'FA_x', status: 'ok' as const, duration_ms: own }));
  expect(startsOf({ results, duration_ms })).toEqual(starts);
});
