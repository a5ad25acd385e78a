import type { FilePort, Interruptible } from '../../core/files.ts';

/** Where what arrives is kept until it is whole. Disposal without `commit` leaves the target as it was. */
export interface Gathering extends AsyncDisposable {
  /** How much there is. */
  readonly bytes: number;
  /** What it is the beginning of; undefined where nobody can tell, so that nothing can be added later. */
  readonly validator: string | undefined;
  /** Throws away what there is; what comes next belongs to this validator. */
  begin(validator: string | undefined): Promise<void>;
  /** The chunk is used up when the promise is fulfilled. */
  add(chunk: Uint8Array): Promise<void>;
  /** The SHA-256 digest of all there is; only where it was asked for. */
  digest(): Promise<string>;
  /** Puts it in the place of the target. */
  commit(): Promise<void>;
}

export interface GatheringOptions extends Interruptible {
  readonly files: FilePort;
  readonly url: string;
  readonly target: string;
  readonly isHashed: boolean;
}
