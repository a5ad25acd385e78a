/** What stands around an action or a connection, in the words of the configuration. */
export interface GuardRules {
  readonly timeout_s?: number;
  readonly retry?: { readonly attempts: number; readonly backoff_s: number; readonly cap_s: number };
  readonly quota?: { readonly max_bytes: number; readonly max_seconds: number };
  readonly rate_limit?: { readonly rate: number; readonly burst?: number; readonly timeout_s?: number };
  readonly circuit_breaker?: { readonly failure_threshold: number; readonly recovery_timeout: number };
  readonly bulkhead?: { readonly max_concurrent: number; readonly max_waiting: number };
  readonly lock?: string;
  readonly file_lock?: string;
}
