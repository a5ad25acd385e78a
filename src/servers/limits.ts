/** What a door takes at most. Everything counts bytes, pieces or seconds. */
export interface Limits {
  readonly bodyBytes: number;
  readonly jsonDepth: number;
  readonly headerBytes: number;
  readonly headerFields: number;
  readonly headersTimeoutS: number;
  /** Without a byte of the body. */
  readonly bodyIdleTimeoutS: number;
  /** For the whole body. */
  readonly bodyTimeoutS: number;
  /** Lists under way through all doors. */
  readonly inFlight: number;
  readonly tcpConnections: number;
  readonly tcpIdleS: number;
  /** Of one caller; 0 is no limit. */
  readonly requestsPerMinute: number;
  /** Of one address. */
  readonly wrongSecretsPerMinute: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 8 * 1024 * 1024,
  jsonDepth: 64,
  headerBytes: 16 * 1024,
  headerFields: 100,
  headersTimeoutS: 30,
  bodyIdleTimeoutS: 60,
  bodyTimeoutS: 300,
  inFlight: 256,
  tcpConnections: 256,
  tcpIdleS: 300,
  requestsPerMinute: 0,
  wrongSecretsPerMinute: 10,
};
