import type { Config } from '../config/load-config.ts';

/** What is bound when a service starts: addresses, certificates, the store, and what Node takes only when a door is opened. */
const BOUND = [
  'server.tracing',
  'http.enabled',
  'http.host',
  'http.port',
  'http.hosts',
  'http.cors_origins',
  'http.tls_cert',
  'http.tls_key',
  'http.allow_non_loopback',
  'tcp.enabled',
  'tcp.host',
  'tcp.port',
  'tcp.allow_non_loopback',
  'metrics.enabled',
  'metrics.own_port',
  'metrics.host',
  'metrics.port',
  'metrics.hosts',
  'metrics.allow_non_loopback',
  'mcp.enabled',
  'store.path',
  'store.history',
  'limits.header_bytes',
  'limits.headers_timeout_s',
  'limits.body_timeout_s',
  'limits.tcp_connections',
  'limits.runner_threads',
  'limits.runner_heap_mb',
  'limits.runner_memory_mb',
  'limits.runner_busy_s',
] as const;

/** The keys whose new values count only after the next start. */
export const boundKeys = (started: Config, next: Config): readonly string[] =>
  BOUND.filter((key) => JSON.stringify(valueAt(started, key)) !== JSON.stringify(valueAt(next, key)));

const valueAt = (config: Config, key: string): unknown => {
  const [section = '', name = ''] = key.split('.');
  return Reflect.get(Reflect.get(config, section), name);
};
