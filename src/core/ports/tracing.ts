/** What spans tell of the house beside what happened. */
export interface TracingOptions {
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** Spans of runs and commands for OpenTelemetry. */
export interface Tracing {
  /** Whether spans are made. */
  readonly isOn: boolean;
  /** Makes spans from now on; false where that is so already. */
  start(options: TracingOptions): Promise<{ readonly started: boolean /** Whether anybody takes the spans. */; readonly hasSdk: boolean }>;
}
