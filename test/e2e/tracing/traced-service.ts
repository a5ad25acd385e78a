import { pathToFileURL } from 'node:url';
import type { RunResult } from '../../../src/core/result.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startServed } from '../service/served.ts';
import { openSpanReceiver, type SpanReceiver } from './span-receiver.ts';

/** A real service whose process has an OpenTelemetry SDK, and the collector that this exports to. */
export interface TracedService extends AsyncDisposable {
  readonly receiver: SpanReceiver;
  run(list: unknown): Promise<RunResult>;
}

export interface TracedServiceOptions {
  /** The folder that the SDK is installed in. */
  readonly sdk: string;
  readonly node: string;
  /** What references to the environment find. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a program does to have its spans exported; where to, the usual variables say. */
const registration = (sdk: string) => `
import { createRequire } from 'node:module';
const { NodeSDK } = createRequire(${JSON.stringify(`${sdk}/`)})('@opentelemetry/sdk-node');
new NodeSDK().start();
`;

export const openTracedService = async ({ sdk, node, env }: TracedServiceOptions): Promise<TracedService> => {
  const receiver = await openSpanReceiver();
  const dir = tempDir({ 'register.mjs': registration(sdk), 'a.txt': 'a' });
  const served = startServed({
    cwd: dir.path,
    node,
    env: {
      ...env,
      NODE_OPTIONS: `--import=${pathToFileURL(dir.at('register.mjs'))}`,
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
  return {
    receiver,
    async run(list) {
      const answer = await fetch(`${await served.url}/actions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(list),
      });
      return (await answer.json()) as RunResult; // what the route answers
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
};
