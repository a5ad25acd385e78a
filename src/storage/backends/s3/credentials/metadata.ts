import { readJson } from '../../../../lib/json/read.ts';
import { dial } from '../../../../lib/net/connect.ts';
import { openHttpSession } from '../../../../lib/net/http-session.ts';
import { bareHost } from '../../../../lib/net/judge-url.ts';
import type { Network } from '../../../../lib/net/network.ts';
import type { S3Credentials } from '../sign.ts';
import type { CredentialSources } from './sources.ts';

/** The machine that gives credentials to those that run on it. */
const INSTANCE = 'http://169.254.169.254';
const CONTAINERS = 'http://169.254.170.2';
/** Addresses that containers may be sent to without TLS. */
const NEAR = new Set(['127.0.0.1', '::1', 'localhost', '169.254.170.2', '169.254.170.23', 'fd00:ec2::23']);
/** Nobody else's machine is that near: where there is no such service, nothing answers. */
const DEADLINE_MS = 1_000;
const MAX_BYTES = 64 * 1024;

/** The way to these services, which the guard of the network keeps everybody else from. Only addresses are reached, no names. */
export const metadataNetwork: Pick<Network, 'connect'> = {
  connect: (host, port, { rules: _rules, ...options }) => {
    const address = bareHost(host);
    return dial({ host: address, port, addresses: [address === 'localhost' ? '127.0.0.1' : address] }, options);
  },
};

/** Credentials of a container; undefined where this is none. */
export const fromContainer = async (sources: CredentialSources, signal: AbortSignal): Promise<S3Credentials | undefined> => {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = sources.env;
  const written = relative === undefined ? full : `${CONTAINERS}${relative}`;
  if (written === undefined || !URL.canParse(written)) return undefined;
  const url = new URL(written);
  // A token that went to another machine would be lost.
  if (url.protocol !== 'http:' || !NEAR.has(bareHost(url.hostname))) return undefined;
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = sources.env;
  const authorization = file === undefined ? token : (await sources.readText(file))?.trim();
  const answer = await ask(sources, url, { headers: authorization === undefined ? {} : { authorization }, signal });
  return answer === undefined ? undefined : readCredentials(answer);
};

/** Credentials of the role of a virtual machine (IMDSv2); undefined where this is none. */
export const fromInstance = async (sources: CredentialSources, signal: AbortSignal): Promise<S3Credentials | undefined> => {
  if (sources.env.AWS_EC2_METADATA_DISABLED?.toLowerCase() === 'true') return undefined;
  const token = await ask(sources, new URL('/latest/api/token', INSTANCE), {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
    signal,
  });
  if (token === undefined) return undefined;
  const headers = { 'x-aws-ec2-metadata-token': token };
  const roles = new URL('/latest/meta-data/iam/security-credentials/', INSTANCE);
  const role = (await ask(sources, roles, { headers, signal }))?.split('\n')[0]?.trim();
  if (role === undefined || !/^[\w+=,.@-]{1,64}$/.test(role)) return undefined;
  const answer = await ask(sources, new URL(role, roles), { headers, signal });
  return answer === undefined ? undefined : readCredentials(answer);
};

interface Question {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What a service says; undefined where there is none, or it refuses. */
const ask = async ({ network = metadataNetwork }: CredentialSources, url: URL, { method = 'GET', headers, signal }: Question) => {
  await using session = openHttpSession({
    origin: url,
    network,
    rules: {},
    connectMs: DEADLINE_MS,
    idleMs: DEADLINE_MS,
    maxConnections: 1,
  });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    const answer = await session.send({ method, path: `${url.pathname}${url.search}`, headers, signal: deadline });
    const text = (await answer.bytes(MAX_BYTES)).toString();
    return answer.status === 200 ? text : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined; // most machines have no such service
  }
};

const readCredentials = (text: string): S3Credentials | undefined => {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return undefined; // a captive portal answers everything
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const at = (key: string): string | undefined => {
    const found: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  const [accessKeyId, secretAccessKey, expiration] = [at('AccessKeyId'), at('SecretAccessKey'), at('Expiration')];
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const expiresMs = expiration === undefined ? Number.NaN : Date.parse(expiration);
  return { accessKeyId, secretAccessKey, sessionToken: at('Token'), ...(Number.isFinite(expiresMs) && { expiresMs }) };
};
