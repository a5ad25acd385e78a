import type { Clock, Meters } from '../../core/ports.ts';
import type { SetTimer } from '../../lib/async/timer.ts';
import type { NetworkSettings } from '../factotum.ts';
import type { ConnectionSettings } from './connection-settings.ts';

/** What storages need of their instance. */
export interface StorageParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked each time: they may change while the instance runs. Another object is another configuration. */
  connections(): ConnectionSettings | undefined;
  /** The same holds for these. */
  outbound(): NetworkSettings;
  metrics(): Promise<{ readonly meters: Pick<Meters, 'transferred'> }>;
  /** Masks a secret from now on. */
  learn(secret: string): void;
  readonly setTimer?: SetTimer;
}
