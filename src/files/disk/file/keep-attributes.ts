import { fstatSync, lstatSync } from 'node:fs';
import { carryAttributes } from '../../../lib/fs/attributes.ts';

interface KeepingOptions {
  readonly signal: AbortSignal;
  readonly onLost?: ((reason: string) => void) | undefined;
}

/** Carries extended attributes and access lists over from a file to the one that takes its place. */
export interface AttributeKeeper {
  /** From one open file to another; answers whether there is nothing to carry. */
  keep(from: number, to: number, options: KeepingOptions): Promise<boolean>;
  /** Remembers the file at an address as one that has none, until anything about it changes. */
  rememberPlain(address: string): void;
}

const MOST_REMEMBERED = 1_000;

/** Asking is starting a program, so that a file which is edited again and again is asked once. */
export const createAttributeKeeper = (): AttributeKeeper => {
  const plain = new Set<string>();
  return {
    async keep(from, to, { signal, onLost }) {
      if (process.platform === 'win32' || plain.has(keyOf(fstatSync(from, { bigint: true })))) return true;
      const { lost, isPlain } = await carryAttributes(from, to, { signal });
      for (const { reason } of lost) onLost?.(reason);
      return isPlain;
    },
    rememberPlain(address) {
      const there = lstatSync(address, { bigint: true, throwIfNoEntry: false });
      if (there === undefined) return;
      if (plain.size >= MOST_REMEMBERED) plain.clear();
      plain.add(keyOf(there));
    },
  };
};

/** The last of its times changes with every attribute. */
const keyOf = ({ dev, ino, ctimeNs }: { readonly dev: bigint; readonly ino: bigint; readonly ctimeNs: bigint }): string =>
  `${dev}:${ino}:${ctimeNs}`;
