import { type Listener, listen } from '../servers/http/listener.ts';
import type { Factotum } from './create.ts';

/** Opens the doors of an instance on this machine. */
export const openDoors = ({ gateway, masker, log }: Factotum, { port }: { readonly port: number }): Promise<Listener> =>
  listen({ gateway, masker, log, port });
