import { type AddressInfo, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from '../../access/bind.ts';

/** Clients leave these ports out. */
const USUAL_PORTS = [80, 443];

/**
 * Every spelling of `host:port` under which this door may be called: on loopback its names, elsewhere the machine's too. Further names
 * may have another port or none: a proxy hands on what its own clients wrote.
 */
export const ownHosts = ({ address, port }: AddressInfo, further: readonly string[]): ReadonlySet<string> => {
  const local = ['127.0.0.1', 'localhost', '::1'];
  const names = [...local, address, ...(isLoopback(address) ? [] : [hostname(), ...machineAddresses()])]
    .filter((name) => name !== '0.0.0.0' && name !== '::')
    .map(bracketed);
  const others = further.map(bracketed);
  const bare = [...(USUAL_PORTS.includes(port) ? names : []), ...others];
  const spelled = [...names, ...others.filter((name) => !hasPort(name))].map((name) => `${name}:${port}`);
  return new Set([...spelled, ...bare].map((name) => name.toLowerCase()));
};

const machineAddresses = (): string[] => Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));

const bracketed = (name: string): string => (isIPv6(name) ? `[${name}]` : name);

const hasPort = (name: string): boolean => /[^:]:\d+$/.test(name);
