import type { ConnectionGiven } from '../../core/ports/connections.ts';

const SECRET = /password|passphrase|secret|token|credential|private_key|connection_string|access_key/;

/** The secrets that a connection was given, and those inside of them: whatever shows one is masked from then on. */
export const secretsIn = (given: ConnectionGiven): readonly string[] =>
  Object.entries(given).flatMap(([key, value]) => (SECRET.test(key) ? textsIn(value).flatMap(withInner) : []));

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' && value !== ''
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** The key of a connection string (`…;AccountKey=…`) and the signature of an address are secrets on their own. */
const withInner = (secret: string): readonly string[] => [
  secret,
  ...[...secret.matchAll(/(?:AccountKey|SharedAccessSignature)=([^;]+)/gi)].map(([, inner = '']) => inner),
  ...[...secret.matchAll(/(?:^|[?&;])sig=([^&;]+)/gi)].map(([, inner = '']) => inner),
];
