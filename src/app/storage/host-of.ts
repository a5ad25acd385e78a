import type { ConnectionGiven, ConnectionType } from '../../core/ports/connections.ts';
import { bareHost } from '../../lib/net/judge-url.ts';

/** Where a service is that is reached without saying so. */
const USUAL: Readonly<Partial<Record<ConnectionType, string>>> = { s3: 's3.amazonaws.com', azure: 'blob.core.windows.net' };

/** The machine that a connection leads to, as far as that can be told before it is opened. */
export const hostOf = (type: ConnectionType, given: ConnectionGiven): string => {
  const { host, server, base_url, endpoint_url, account_url, connection_string } = given;
  const plain = [host, server].find((each) => typeof each === 'string');
  if (plain !== undefined) return bareHost(String(plain));
  const url = [base_url, endpoint_url, account_url, endpointIn(connection_string)].find((each) => typeof each === 'string');
  return url !== undefined && URL.canParse(String(url)) ? bareHost(new URL(String(url)).hostname) : (USUAL[type] ?? '');
};

const endpointIn = (connection: unknown): string | undefined =>
  typeof connection === 'string' ? (/BlobEndpoint=([^;]+)/i.exec(connection)?.[1] ?? accountIn(connection)) : undefined;

const accountIn = (connection: string): string | undefined => {
  const [, account] = /AccountName=([^;]+)/i.exec(connection) ?? [];
  return account === undefined ? undefined : `https://${account}.blob.core.windows.net`;
};
