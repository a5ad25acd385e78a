import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it is exported. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number; readonly message?: string };
}

interface ExportedSpan extends Omit<Span, 'startMs' | 'endMs' | 'attributes'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly ExportedSpan[] }[];
  }[];
}

/** Takes spans as a collector does: OTLP over HTTP, as JSON. */
export interface SpanReceiver extends AsyncDisposable {
  readonly url: string;
  /** Spans of factotum, in the order of their arrival. */
  readonly spans: readonly Span[];
  /** Everything that came, as it was written. */
  readonly text: () => string;
}

export const openSpanReceiver = async (): Promise<SpanReceiver> => {
  const bodies: string[] = [];
  const spans: Span[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    bodies.push(body);
    if (request.url === '/v1/traces') spans.push(...spansIn(JSON.parse(body)));
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a listening TCP server has a port
    spans,
    text: () => bodies.join('\n'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

const spansIn = ({ resourceSpans }: Export): Span[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .filter(({ scope }) => scope.name === 'factotum')
    .flatMap((scoped) => scoped.spans.map(readSpan));

const readSpan = ({ attributes, startTimeUnixNano, endTimeUnixNano, ...span }: ExportedSpan): Span => ({
  ...span,
  startMs: Number(startTimeUnixNano) / 1e6,
  endMs: Number(endTimeUnixNano) / 1e6,
  attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
});
