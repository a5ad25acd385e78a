import { BlockList, isIP } from 'node:net';
import { BindRefusedException } from '../core/errors.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** True for addresses and names that only this machine can reach. */
export const isLoopback = (host: string): boolean => {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4');
};

export interface BindRule {
  readonly host: string;
  readonly allowNonLoopback: boolean;
  /** A secret or token is set. */
  readonly locked: boolean;
  /** Demand one on other addresses: the command line and the configuration do, a program that calls the library is only warned. */
  readonly demandSecret: boolean;
  /** Nobody on the way can read along. */
  readonly encrypted: boolean;
}

/** Throws unless a door may open at this address; gives the warning to print, if there is one. */
export const judgeBind = ({ host, allowNonLoopback, locked, demandSecret, encrypted }: BindRule): string | undefined => {
  if (isLoopback(host)) return undefined;
  if (!allowNonLoopback) {
    throw new BindRefusedException(`${host} can be reached from other machines; set allow_non_loopback to open the door there.`, {
      context: { host },
    });
  }
  if (locked && encrypted) return undefined;
  if (locked) {
    return `What passes ${host} is not encrypted, so whoever sits on the way can read secrets and lists; set tls_cert and tls_key, or let a proxy or tunnel do it.`;
  }
  if (demandSecret) {
    throw new BindRefusedException(
      `${host} can be reached from other machines and no secret is set; set a shared secret or tokens, or pass --insecure-no-auth.`,
      { context: { host } },
    );
  }
  return `Everybody who reaches ${host} may run every action with your rights: no secret is set.`;
};
