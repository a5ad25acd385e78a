import { QuotaExceededException } from '../../core/errors.ts';

/** How much an archive may claim and give. */
export interface ArchiveLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Output for each byte of compressed input. */
  readonly maxRatio: number;
}

/** Small archives may shrink as much as they like. */
const RATIO_FREE_BYTES = 10 * 1024 * 1024;

/** Counts what really comes out, whatever the headers say. */
export interface Meter {
  /** Compressed bytes that went in. */
  consumed(bytes: number): void;
  /** Bytes that came out; throws once a limit is passed. */
  produced(bytes: number): void;
}

/** Watches those limits that are given. */
export const createMeter = ({ maxBytes, maxRatio }: Partial<Pick<ArchiveLimits, 'maxBytes' | 'maxRatio'>>): Meter => {
  let input = 0;
  let output = 0;
  return {
    consumed(bytes) {
      input += bytes;
    },
    produced(bytes) {
      output += bytes;
      if (maxBytes !== undefined) demandBytes(output, { maxBytes });
      if (maxRatio !== undefined) demandRatio(output, input, { maxRatio });
    },
  };
};

/** Refuses more bytes than allowed. */
export const demandBytes = (bytes: number, { maxBytes }: Pick<ArchiveLimits, 'maxBytes'>): void => {
  if (bytes <= maxBytes) return;
  throw new QuotaExceededException(`The archive holds more than ${maxBytes} bytes; raise max_bytes if it can be trusted.`, {
    context: { limit: 'max_bytes', max_bytes: maxBytes },
  });
};

/** Refuses more output than the input can honestly give. */
export const demandRatio = (output: number, input: number, { maxRatio }: Pick<ArchiveLimits, 'maxRatio'>): void => {
  if (output <= RATIO_FREE_BYTES || output <= input * maxRatio) return;
  throw new QuotaExceededException(`The archive unpacks to more than ${maxRatio} times its size; raise max_ratio if it can be trusted.`, {
    context: { limit: 'max_ratio', max_ratio: maxRatio },
  });
};

/** Refuses more entries than allowed. */
export const demandEntries = (entries: number, { maxEntries }: Pick<ArchiveLimits, 'maxEntries'>): void => {
  if (entries <= maxEntries) return;
  throw new QuotaExceededException(`The archive has more than ${maxEntries} entries; raise max_entries if it can be trusted.`, {
    context: { limit: 'max_entries', max_entries: maxEntries },
  });
};
