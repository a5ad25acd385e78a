import type { ActionACL } from '../../access/acl.ts';
import { demandKnownKeys, type KnownKeys } from '../../lib/text/known-keys.ts';
import type { OpenDoor } from '../../servers/open-door.ts';
import type { ServiceOptions } from '../serve/serve.ts';
import { sharedFactotum } from '../shared-factotum.ts';

export type { OpenDoor };

/** Where a server listens and who may come in. */
export interface StartOptions {
  /** 127.0.0.1 unless said. */
  readonly host?: string | undefined;
  /** 0 takes any that is free. */
  readonly port?: number | undefined;
  /** Must be true for an address that other machines can reach. */
  readonly allowNonLoopback?: boolean | undefined;
  /** When set, callers have to present it. */
  readonly sharedSecret?: string | undefined;
  /** Which actions are accepted; all unless said. */
  readonly actionAcl?: ActionACL | undefined;
}

/** Serves the shared instance over HTTP. */
export const startHttpActionServer = (options: StartOptions = {}): Promise<OpenDoor> =>
  start('http', options, { http: placeOf(options), metrics: true });

/** Serves the shared instance over TCP. */
export const startAutocontrolSocketServer = (options: StartOptions = {}): Promise<OpenDoor> =>
  start('tcp', options, { http: false, tcp: placeOf(options) });

/** Serves the metrics of the shared instance. */
export const startMetricsServer = (options: Omit<StartOptions, 'actionAcl'> = {}): Promise<OpenDoor> =>
  start('metrics', options, { http: false, metrics: placeOf(options) });

const placeOf = ({ host, port, allowNonLoopback }: StartOptions) => ({ host, port, allowNonLoopback });

const OPTIONS: KnownKeys<StartOptions> = { host: true, port: true, allowNonLoopback: true, sharedSecret: true, actionAcl: true };

const start = async (kind: 'http' | 'tcp' | 'metrics', options: StartOptions, doors: ServiceOptions): Promise<OpenDoor> => {
  demandKnownKeys(options, OPTIONS, `The ${kind} server`); // a misspelt secret would be none
  const { sharedSecret, actionAcl } = options;
  const { openService } = await import('../serve/serve.ts'); // programs that serve nothing load no server
  const service = await openService(sharedFactotum(), { ...doors, sharedSecret, acl: actionAcl });
  // Closing the door closes the service behind it, which lets lists under way finish.
  return { ...service.door(kind), close: service.close, [Symbol.asyncDispose]: service.close };
};
