// Spans for OpenTelemetry, switched on. They are made in services/tracing, which reaches actions through ctx.services.
import { defineAction, defineFamily } from '../../core/action.ts';
import { record, text } from '../../core/args.ts';
import { TracingException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';

const tracingInit = defineAction({
  name: 'FA_tracing_init',
  summary: 'Makes OpenTelemetry spans for runs and commands from now on; false where that is so already.',
  args: {
    service_name: text('The service that the spans name.', { default: 'factotum', minLength: 1 }),
    exporter: record('Not taken: spans leave through the OpenTelemetry SDK that the program has set up.', shapes.json(), { default: null }),
    resource_attributes: record(
      'What every span of a run tells beside what happened.',
      shapes.either(shapes.text(), shapes.number(), shapes.flag()),
      {
        default: null,
      },
    ),
  },
  returns: shapes.flag(),
  reserved: true,
  examples: [{ args: {}, value: true }],
  plan: (_, { exporter }) => demandNoExporter(exporter),
  async run({ services, note }, { service_name, exporter, resource_attributes }) {
    demandNoExporter(exporter);
    if (services.tracing === undefined)
      throw new TracingException('This house makes no spans; run it through factotum serve, or use createFactotum().');
    const { started, hasSdk } = await services.tracing.start({ serviceName: service_name, attributes: resource_attributes ?? {} });
    if (!hasSdk) note({ kind: 'skipped', message: `No OpenTelemetry SDK takes the spans; ${REMEDY}` });
    return started;
  },
});

const REMEDY =
  'install @opentelemetry/auto-instrumentations-node and start Node with --import @opentelemetry/auto-instrumentations-node/register.';

const demandNoExporter = (exporter: object | null): void => {
  if (exporter === null) return;
  throw new TracingException(`An exporter cannot be handed over in a list; leave it out and let an SDK export the spans: ${REMEDY}`, {
    context: { argument: 'exporter' },
  });
};

const tracingStatus = defineAction({
  name: 'FA_tracing_status',
  summary: 'Tells whether spans are made.',
  args: {},
  returns: shapes.flag(),
  question: { no: 'none are made', isNo: (isOn) => !isOn },
  idempotent: true,
  examples: [{ args: {}, value: false }],
  run: ({ services }) => services.tracing?.isOn ?? false,
});

export const tracing = defineFamily({
  name: 'tracing',
  group: 'system',
  summary: 'OpenTelemetry spans of runs and commands: switch on, look.',
  actions: [tracingInit, tracingStatus],
});
