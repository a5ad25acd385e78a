import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from '../../access/bind.ts';

/** Every spelling of `host:port` under which this door may be called: on loopback its names, elsewhere the machine's too. */
export const ownHosts = ({ address, port }: AddressInfo, further: readonly string[]): ReadonlySet<string> => {
  const local = ['127.0.0.1', 'localhost', '[::1]'];
  const names = isLoopback(address) ? local : [...local, hostname(), ...machineAddresses()];
  const spelled = [...names, bracketed(address), ...further].map((name) => (hasPort(name) ? name : `${name}:${port}`));
  const unspecified = new Set([`0.0.0.0:${port}`, `[::]:${port}`]);
  return new Set(spelled.map((name) => name.toLowerCase()).filter((name) => !unspecified.has(name)));
};

const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => bracketed(address)));

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const hasPort = (name: string): boolean => /:\d+$/.test(name) && (!name.startsWith('[') || /\]:\d+$/.test(name));
