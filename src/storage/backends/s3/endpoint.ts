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
/** More are worked out each time. */
const MAX_PLACES = 1_000;
export const REGION = /^[a-z0-9-]{1,40}$/;

/** The addresses of Amazon, or those of the server that the connection names. */
export const endpointOf = ({ endpoint_url: written, addressing = 'auto' }: S3Settings, faults: StorageFaults): S3Endpoint => {
  const own = written === undefined ? undefined : readEndpoint(written, faults);
  const base = own === undefined || own.pathname === '/' ? '' : own.pathname.replace(/\/+$/, '');
  const inHost = (bucket: string): boolean =>
    bucket !== '' && (addressing === 'virtual' || (addressing === 'auto' && own === undefined && HOST_LABEL.test(bucket)));
  /** Every bucket of a region has an address that does not change. */
  const places = new Map<string, S3Target>();
  const placeOf = (region: string, bucket: string): S3Target => {
    const server = own?.origin ?? amazon(region);
    const origin = new URL(server);
    if (!inHost(bucket)) return { origin, path: `${base}/${bucket}` };
    origin.hostname = `${bucket}.${origin.hostname}`;
    return { origin, path: base };
  };
  return {
    isSecure: own === undefined || own.protocol === 'https:',
    target(region, bucket, key) {
      const known = places.get(`${region}/${bucket}`);
      const { origin, path } = known ?? placeOf(region, bucket);
      if (known === undefined && places.size < MAX_PLACES) places.set(`${region}/${bucket}`, { origin, path });
      if (key !== '') return { origin, path: `${path}/${encodeKey(key)}` };
      return { origin, path: path === '' || path === base ? `${path}/` : path };
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
