import type { AddressInfo, Server } from 'node:net';
import { ConfigException } from '../core/errors.ts';

/** Where a server is to listen. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** Begins to listen; answers where. Throws what to do where that place cannot be had. */
export const listen = (server: Server, { host, port }: ListenPlace): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const fail = (fault: NodeJS.ErrnoException) => reject(cannotListen(fault, { host, port }));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve(server.address() as AddressInfo); // it listens on a port, so it has one
    });
  });

const cannotListen = (fault: NodeJS.ErrnoException, { host, port }: ListenPlace): Error => {
  const why = REASONS.get(fault.code ?? '') ?? `the system says ${fault.code ?? fault.message}; choose another address or port`;
  return new ConfigException(`Nothing can listen on port ${port} of ${host}: ${why}.`, {
    context: { host, port, code: fault.code ?? '' },
    cause: fault,
  });
};

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program does; stop that one or choose another port'],
  ['EACCES', 'the system does not let this user; choose a port above 1023'],
  ['EADDRNOTAVAIL', 'this machine does not have that address; choose one of its own'],
  ['ENOTFOUND', 'no machine has that name; choose an address of this one'],
  ['EAI_AGAIN', 'the name cannot be looked up now; choose an address of this machine'],
]);
