import { expect } from 'vitest';
import type { Outgoing, StorageCode, StoredItem } from '../../src/core/storage.ts';
import { storageCode } from '../../src/storage/faults.ts';

export const outgoing = (content: string | Uint8Array): Outgoing & { readonly bytes: number } => {
  const bytes = Buffer.from(content);
  return {
    bytes: bytes.byteLength,
    async *chunks({ start, end }) {
      for (let at = start; at < (end ?? bytes.byteLength); at += 1000)
        yield bytes.subarray(at, Math.min(at + 1000, end ?? bytes.byteLength));
    },
  };
};

export const textOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk));
  return Buffer.concat(all).toString();
};

export const everything = async (items: AsyncIterable<StoredItem>): Promise<string[]> => {
  const found: string[] = [];
  for await (const { path, kind } of items) found.push(kind === 'dir' ? `${path}/` : path);
  return found.sort();
};

export const code = (expected: StorageCode) =>
  expect.toSatisfy((fault: unknown) => storageCode(fault) === expected, `a fault with the code ${expected}`);

/** Names that some protocol or other writes differently, and that must come back as they went. */
export const ODD_NAMES: readonly string[] = [
  'with space',
  ' leading and trailing ',
  'per%41cent',
  'a#b',
  'a?b=c&d',
  'a+b',
  "it's",
  'say "so"',
  '[brackets]',
  '{braces}',
  'semi;colon',
  'back\\slash',
  'caf\u00e9',
  'cafe\u0301',
  '\u6587\u4ef6',
  '\ud83d\ude00',
  '-dash',
  '.hidden',
  'CON',
  'tilde~',
  '~tilde',
  'x'.repeat(255),
  '$HOME',
  '*',
  'a:b',
  '<xml>&amp;',
];
