import { QuotaExceededException } from '../../../../core/errors.ts';

/** How much of a file may be unpacked in memory at once. Threads are limited by their heap, which knows nothing of buffers. */
export interface MemoryBudget {
  take(bytes: number): void;
  give(bytes: number): void;
}

/** Opens the budget of one file. */
export const openBudget = (name: string, maxBytes = MAX_BYTES): MemoryBudget => {
  let used = 0;
  return {
    take(bytes) {
      used += bytes;
      if (used <= maxBytes) return;
      throw new QuotaExceededException(
        `${name} needs more than ${maxBytes} bytes of memory for the pages of the wanted columns; ask for fewer columns, or have it written with smaller pages.`,
        { context: { path: name, limit: 'memory', max_bytes: maxBytes } },
      );
    },
    give(bytes) {
      used -= bytes;
    },
  };
};

const MAX_BYTES = 384 * 1024 * 1024;
