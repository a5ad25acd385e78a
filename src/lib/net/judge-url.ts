import { isIP } from 'node:net';
import { classOfAddress, plainAddress } from './address-class.ts';
import { isBlockedPort } from './blocked-ports.ts';
import { refused } from './refusal.ts';

/** What is allowed beyond public addresses. */
export interface AddressRules {
  /** Opens private networks, this machine and their names; what hands out credentials stays closed. */
  readonly allowPrivate?: boolean;
  /** Names and addresses that may be private. An allowed name does not allow its address, nor the other way round. */
  readonly allowHosts?: readonly string[];
  /** The same as an owner writes it: `host`, `host:port` or `*.lan`, which stands for every name below. Counts where the port is known. */
  readonly privateHosts?: readonly string[];
}

/** A URL that may be asked for, as far as it can be told without a lookup. */
export interface JudgedUrl {
  readonly url: URL;
  /** The URL as it came. */
  readonly written: string;
  /** The bare name or address: no brackets, no root dot. */
  readonly host: string;
}

const LONGEST = 2048;
// Control characters and white space are what parsers drop silently, so that two of them read different hosts.
const UNSAFE = /[\u0000-\u0020\u007f\\]/;
const SPECIAL_NAME = /^(?:(?:.+\.)?localhost|.+\.(?:local|internal|home\.arpa|onion))$/;

/** Judges what a URL says of itself; its name is judged when it is looked up. Throws `UrlValidationException`. */
export const judgeUrl = (input: unknown, rules: AddressRules = {}): JudgedUrl => {
  if (typeof input !== 'string' || input === '') throw refused('parse', input);
  if (input.length > LONGEST) throw refused('too-long', input);
  if (UNSAFE.test(input)) throw refused('chars', input);
  if (!URL.canParse(input)) throw refused('parse', input);
  const url = new URL(input);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('scheme', input);
  const authority = /^https?:\/\/([^/?#]+)/i.exec(input)?.[1];
  if (authority === undefined) throw refused('parse', input);
  if (authority.includes('@')) throw refused('userinfo', input);
  if (url.port !== '' && isBlockedPort(Number(url.port))) throw refused('port', input);
  const host = bareHost(url.hostname);
  judgeHost(host, rulesAt(rules, host, portOf(url)), input);
  return { url, written: input, host };
};

/** Judges a name or address before it is looked up; `shown` stands for it in messages. */
export const judgeHost = (host: string, rules: AddressRules, shown: string = host): void => {
  if (isIP(host) !== 0) judgeAddress(host, host, rules, shown);
  else if (SPECIAL_NAME.test(host) && !isAllowed(host, rules)) throw refused('name', shown, { host });
};

/** Judges one address that a host has. */
export const judgeAddress = (address: string, host: string, rules: AddressRules, shown: string = host): void => {
  const found = classOfAddress(address);
  if (found === 'forbidden' || (found === 'private' && !isAllowed(host, rules))) throw refused('address', shown, { host });
};

/** The rules for one port of one host: what the owner has written of it counts as an allowed host. */
export const rulesAt = (rules: AddressRules, host: string, port: number): AddressRules =>
  rules.privateHosts?.some((pattern) => isPlaceOf(pattern, host, port)) === true
    ? { ...rules, allowHosts: [...(rules.allowHosts ?? []), host] }
    : rules;

/** The port that a URL leads to. */
export const portOf = ({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number => Number(port || (protocol === 'https:' ? 443 : 80));

const PLACE = /^(\[[^\]]+\]|[^:]+|[0-9a-f:.]+)(?::(\d{1,5}))?$/i;

/** Whether a text is `host`, `host:port` or `*.lan`. */
export const isHostPattern = (pattern: string): boolean => {
  const { host, port } = placeIn(pattern);
  const name = host.startsWith('*.') ? host.slice(2) : host;
  return (isIP(name) !== 0 || /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(name)) && (port === undefined || (port > 0 && port < 65_536));
};

const isPlaceOf = (pattern: string, host: string, port: number): boolean => {
  const place = placeIn(pattern);
  if (place.port !== undefined && place.port !== port) return false;
  if (place.host.startsWith('*.')) return isIP(host) === 0 && host.length > place.host.length - 1 && host.endsWith(place.host.slice(1));
  return plainAddress(place.host) === plainAddress(host);
};

const placeIn = (pattern: string): { readonly host: string; readonly port: number | undefined } => {
  if (isIP(pattern) !== 0) return { host: bareHost(pattern), port: undefined };
  const [, host = '', port] = PLACE.exec(pattern) ?? [];
  return { host: bareHost(host), port: port === undefined ? undefined : Number(port) };
};

/** A host as it is compared and looked up. */
export const bareHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

const isAllowed = (host: string, { allowPrivate = false, allowHosts = [] }: AddressRules): boolean =>
  allowPrivate || allowHosts.some((allowed) => plainAddress(bareHost(allowed)) === plainAddress(host));
