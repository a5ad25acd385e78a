// The one place that knows which faults may be gone on the next try without a change.

/** Codes of the system, of name look-up, of Node and of undici. */
const CODES: ReadonlySet<string> = new Set([
  // Connections
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTCONN',
  'ENETDOWN',
  'ENETUNREACH',
  'ENETRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENOBUFS',
  'UND_ERR_SOCKET',
  'ERR_SOCKET_CLOSED',
  'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
  'ERR_STREAM_PREMATURE_CLOSE',
  // Names that could not be looked up now
  'EAI_AGAIN',
  'ESERVFAIL',
  'ETIMEOUT',
  // Time
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  // Devices, and what the machine has too little of
  'EIO',
  'EBUSY',
  'ETXTBSY',
  'EAGAIN',
  'EWOULDBLOCK',
  'EINTR',
  'EDEADLK',
  'ENOLCK',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'ESTALE',
]);

export const isTransientCode = (code: string | undefined): boolean => code !== undefined && CODES.has(code);

/** Wrappings beyond this are no longer looked into; causes may go round in circles. */
const MAX_DEPTH = 8;

/**
 * Connection, timeout and I/O kinds: what may go away by itself. A typed error knows; others are told by their code, by the name of a time
 * limit, and by what they wrap: `fetch` hides a refused connection in `cause`, a host with several addresses in `errors`.
 */
export const isTransient = (fault: unknown): boolean => mayPass(fault, 0);

const mayPass = (fault: unknown, depth: number): boolean => {
  if (!(fault instanceof Error) || depth > MAX_DEPTH) return false;
  if ('retryable' in fault && typeof fault.retryable === 'boolean') return fault.retryable;
  if (fault.name === 'TimeoutError') return true;
  if ('code' in fault && typeof fault.code === 'string' && isTransientCode(fault.code)) return true;
  if (fault instanceof AggregateError && fault.errors.some((each: unknown) => mayPass(each, depth + 1))) return true;
  return mayPass(fault.cause, depth + 1);
};
