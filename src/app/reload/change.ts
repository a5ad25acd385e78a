import type { LoadedConfig } from '../config/load-config.ts';

/** A change that is ready to be made. */
export interface Change {
  /** Makes it. Parts that cannot fail come last, so that what was made before can still be taken back. */
  apply(): void | Promise<void>;
  /** Takes back what was prepared or made, because another part failed. */
  revert(): void | Promise<void>;
}

/** A part of a service that a new configuration changes. */
export interface Part {
  /** Gets ready for a new configuration without anybody noticing; throws where that cannot hold here. */
  prepare(next: LoadedConfig): Change | Promise<Change>;
}
