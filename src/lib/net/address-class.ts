import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * What may be done with an address: `public` may be reached, `private` only where the configuration says so, `forbidden` never
 * (services of the cloud that hand out credentials, multicast, unspecified and reserved addresses).
 */
export type AddressClass = 'public' | 'private' | 'forbidden';

/** The class of an address; whatever is not an address is forbidden. */
export const classOfAddress = (address: string): AddressClass => {
  if (isIPv4(address)) return classOfIpv4(address);
  return isIPv6(address) && !address.includes('%') ? classOfIpv6(address) : 'forbidden';
};

/** Two spellings of one address give the same text. */
export const plainAddress = (address: string): string => (isIPv6(address) ? groupsOf(address).join(':') : address);

const blockList = (type: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix = type === 'ipv4' ? '32' : '128'] = subnet.split('/');
    list.addSubnet(net, Number(prefix), type);
  }
  return list;
};

const FORBIDDEN_IPV4 = blockList('ipv4', [
  '0.0.0.0/8',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Metadata and platform services of clouds.
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.42.42',
  '169.254.169.123',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]);

const PRIVATE_IPV4 = blockList('ipv4', [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
]);

const FORBIDDEN_IPV6 = blockList('ipv6', ['::', 'ff00::/8', 'fd00:ec2::254', 'fd00:ec2::23', 'fd00:42::42', 'fd20:ce::254']);
const GLOBAL_IPV6 = blockList('ipv6', ['2000::/3']);
const NOT_GLOBAL_IPV6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

const classOfIpv4 = (address: string): AddressClass => {
  if (FORBIDDEN_IPV4.check(address, 'ipv4')) return 'forbidden';
  return PRIVATE_IPV4.check(address, 'ipv4') ? 'private' : 'public';
};

/** Only what is known to be global counts as public: a form that nobody thought of is private. */
const classOfIpv6 = (address: string): AddressClass => {
  const groups = groupsOf(address);
  const key = groups.join(':');
  if (key === '0:0:0:0:0:0:0:1') return 'private';
  if (FORBIDDEN_IPV6.check(address, 'ipv6')) return 'forbidden';
  const inside = embeddedIpv4(groups);
  if (inside !== undefined) {
    const embedded = classOfIpv4(inside.address);
    return embedded === 'public' && !inside.isReachable ? 'private' : embedded;
  }
  return GLOBAL_IPV6.check(address, 'ipv6') && !NOT_GLOBAL_IPV6.check(address, 'ipv6') ? 'public' : 'private';
};

/** Forms that carry an IPv4 address; of these only NAT64 leads to public machines. */
const embeddedIpv4 = (groups: readonly string[]): { readonly address: string; readonly isReachable: boolean } | undefined => {
  const front = groups.slice(0, 6).join(':');
  if (front === '64:ff9b:0:0:0:0') return { address: ipv4Of(groups.slice(6)), isReachable: true };
  if (/^0:0:0:0:(?:0:0|0:ffff|ffff:0)$/.test(front) || front.startsWith('64:ff9b:1:'))
    return { address: ipv4Of(groups.slice(6)), isReachable: false };
  return groups[0] === '2002' ? { address: ipv4Of(groups.slice(1, 3)), isReachable: false } : undefined;
};

const ipv4Of = (groups: readonly string[]): string => {
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 0xff]).join('.');
};

/** The eight groups of a valid IPv6 address, in lower case and without leading zeros. */
const groupsOf = (address: string): string[] => {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) =>
    [a, b, c, d].map(Number).reduce((text, byte, at) => `${text}${at === 2 ? ':' : ''}${byte.toString(16).padStart(2, '0')}`, ''),
  );
  const [head = '', tail] = hex.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : new Array<string>(8 - front.length - back.length).fill('0');
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16).toString(16));
};
