import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressRules, bareHost, judgeAddress, judgeHost, judgeUrl, portOf, rulesAt } from './judge-url.ts';
import { refused } from './refusal.ts';

/** Finds all addresses of a name; rejects or answers none where there is no such name. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** Decides which machines may be reached. */
export interface AddressGuard {
  /** The URL itself, once all its addresses are judged; throws `UrlValidationException`. */
  validate(url: unknown, rules?: AddressRules): Promise<string>;
  /** Every address of a host from one lookup, all of them judged: connect to these and to no other. */
  addressesOf(host: string, rules?: AddressRules): Promise<readonly string[]>;
}

const lookUp: Lookup = async (name) => (await systemLookup(name, { all: true })).map(({ address }) => address);

/** Makes a guard; names are looked up as the system does unless said otherwise. */
export const createAddressGuard = ({ lookup = lookUp }: { readonly lookup?: Lookup } = {}): AddressGuard => {
  const addressesOf = async (written: string, rules: AddressRules = {}, shown: string = written): Promise<readonly string[]> => {
    const host = bareHost(written);
    judgeHost(host, rules, shown);
    if (isIP(host) !== 0) return [host];
    const addresses = await lookup(host).catch(() => []);
    if (addresses.length === 0) throw refused('resolve', shown, { host });
    for (const address of addresses) judgeAddress(address, host, rules, shown);
    return addresses;
  };

  return {
    async validate(input, rules = {}) {
      const { url, host, written } = judgeUrl(input, rules);
      await addressesOf(host, rulesAt(rules, host, portOf(url)), written);
      return written;
    },
    addressesOf: (host, rules) => addressesOf(host, rules),
  };
};
