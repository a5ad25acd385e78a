import type { Limits } from '../../servers/limits.ts';
import type { Config } from './load-config.ts';

/** What doors take at most. */
export const limitsOf = (limits: Config['limits']): Limits => ({
  bodyBytes: limits.body_bytes,
  jsonDepth: limits.json_depth,
  headerBytes: limits.header_bytes,
  headerFields: limits.header_fields,
  headersTimeoutS: limits.headers_timeout_s,
  bodyIdleTimeoutS: limits.body_idle_timeout_s,
  bodyTimeoutS: limits.body_timeout_s,
  inFlight: limits.in_flight,
  tcpConnections: limits.tcp_connections,
  tcpIdleS: limits.tcp_idle_s,
  requestsPerMinute: limits.requests_per_minute,
  wrongSecretsPerMinute: limits.wrong_secrets_per_minute,
});
