import type { Socket } from 'node:net';
import { type Dial, type DialOptions, dial as dialTcp } from './connect.ts';
import { type AddressGuard, createAddressGuard, type Lookup } from './guard.ts';
import { type HttpClient, type HttpClientOptions, openHttpClient } from './http-client.ts';
import { type AddressRules, bareHost, rulesAt } from './judge-url.ts';

/** The way to other machines: every address is judged before anything is sent to it. */
export interface Network {
  validate: AddressGuard['validate'];
  openHttp(options: Omit<HttpClientOptions, 'network'>): HttpClient;
  /** A bare connection, for protocols other than HTTP. */
  connect(host: string, port: number, options: DialOptions & { readonly rules?: AddressRules }): Promise<Socket>;
}

/** Opens the network of this machine; names and connections can be those of a test. */
export const createNetwork = ({ lookup, dial = dialTcp }: { readonly lookup?: Lookup; readonly dial?: Dial } = {}): Network => {
  const guard = createAddressGuard(lookup === undefined ? {} : { lookup });
  const network: Network = {
    validate: guard.validate,
    openHttp: (options) => openHttpClient({ ...options, network }),
    async connect(written, port, { rules = {}, ...options }) {
      const host = bareHost(written);
      return dial({ host, port, addresses: await guard.addressesOf(host, rulesAt(rules, host, port)) }, options);
    },
  };
  return network;
};
