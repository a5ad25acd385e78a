import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outgoing } from '../../core/storage.ts';
import { inPieces } from './pieces.ts';

const { signal } = new AbortController();

/** Content in chunks of one buffer that is used again, as sources do. */
const inChunks = (content: Buffer, chunkBytes: number, bytes?: number): Outgoing => ({
  ...(bytes !== undefined && { bytes }),
  async *chunks() {
    const reused = Buffer.alloc(chunkBytes);
    for (let at = 0; at < content.byteLength; at += chunkBytes) yield reused.subarray(0, content.copy(reused, 0, at, at + chunkBytes));
  },
});

test('pieces are the content, however it comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 120 }),
      fc.boolean(),
      async (bytes, chunkBytes, pieceBytes, isKnown) => {
        const content = Buffer.from(bytes);
        const seen = createHash('sha256');
        const free: Buffer[] = [];
        const all: Buffer[] = [];
        let last = false;
        const options = {
          signal,
          bytesOf: () => pieceBytes,
          digests: ['md5', 'sha256'] as const,
          free,
          watch: (chunk: Uint8Array) => void seen.update(chunk),
        };
        for await (const piece of inPieces(inChunks(content, chunkBytes, isKnown ? content.byteLength : undefined), options)) {
          expect(piece.number).toBe(all.length + 1);
          if (!piece.isLast) expect(piece.content.byteLength).toBe(pieceBytes);
          expect(piece.digests.md5?.toString('hex')).toBe(createHash('md5').update(piece.content).digest('hex'));
          expect(piece.digests.sha256?.toString('hex')).toBe(createHash('sha256').update(piece.content).digest('hex'));
          all.push(Buffer.from(piece.content));
          if (!piece.isLast) free.push(piece.content); // to be used again
          last = piece.isLast;
        }
        expect(last).toBe(true);
        expect(Buffer.concat(all).equals(content)).toBe(true);
        expect(seen.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
      },
    ),
  );
});

test('a source with more or less than it said is cut where it ends', async () => {
  const lengths: number[] = [];
  for await (const { content } of inPieces(inChunks(Buffer.alloc(25), 7, 10), { signal, bytesOf: () => 10, digests: [], free: [] }))
    lengths.push(content.byteLength);
  expect(lengths).toEqual([10, 10, 5]);
});
