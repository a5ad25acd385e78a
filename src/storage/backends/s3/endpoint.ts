import type { StorageFaults } from '../../faults.ts';
import type { S3Settings } from './settings.ts';
import { encodeKey } from './sign.ts';

/** Where a request goes. */
export interface S3Target {
  readonly origin: URL;
  /** Encoded, with the bucket where it stands in the path. */
  readonly path: string;
}

export interface S3Endpoint {
  readonly isSecure: boolean;
  target(region: string, bucket: string, key: string): S3Target;
}

/** Names that can stand in front of a host; a dot would not fit the certificate. */
const HOST_LABEL = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
export const REGION = /^[a-z0-9-]{1,40}$/;

/** The addresses of Amazon, or those of the server that the connection names. */
export const endpointOf = ({ endpoint_url: written, addressing = 'auto' }: S3Settings, faults: StorageFaults): S3Endpoint => {
  const own = written === undefined ? undefined : readEndpoint(written, faults);
  const base = own === undefined || own.pathname === '/' ? '' : own.pathname.replace(/\/+$/, '');
  const inHost = (bucket: string): boolean =>
    bucket !== '' && (addressing === 'virtual' || (addressing === 'auto' && own === undefined && HOST_LABEL.test(bucket)));
  return {
    isSecure: own === undefined || own.protocol === 'https:',
    target(region, bucket, key) {
      const server = own?.origin ?? amazon(region);
      const encoded = encodeKey(key);
      if (!inHost(bucket)) return { origin: new URL(server), path: `${base}/${bucket}${bucket !== '' && key !== '' ? `/${encoded}` : ''}` };
      const origin = new URL(server);
      origin.hostname = `${bucket}.${origin.hostname}`;
      return { origin, path: `${base}/${encoded}` };
    },
  };
};

const amazon = (region: string): string => `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

const readEndpoint = (written: string, faults: StorageFaults): URL => {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw faults.because('unreachable', 'endpoint_url of the connection is no address of a server; write it as https://host:port.');
  return url;
};
