import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createLineFinder } from './find/line-finder.ts';
import { createContentHash } from './hash/content-hash.ts';
import { createLineCounter } from './lines/line-counter.ts';

/** As in a process without WebAssembly. */
const without = <T>(work: () => T): T => {
  vi.stubGlobal('WebAssembly', undefined);
  try {
    return work();
  } finally {
    vi.unstubAllGlobals();
  }
};

/** As in a process that may not reserve as many addresses as it wants. */
const withoutRoom = <T>(work: () => T): T => {
  const short = Object.create(Reflect.get(globalThis, 'WebAssembly'), {
    Instance: {
      value: class {
        constructor() {
          throw new RangeError('WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance');
        }
      },
    },
  });
  vi.stubGlobal('WebAssembly', short);
  try {
    return work();
  } finally {
    vi.unstubAllGlobals();
  }
};

const texts = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'A', '\n', '\r\n', '\r', ' ', 'é', '\0', 'x'.repeat(70)), { maxLength: 60 })
  .map((parts) => Buffer.from(parts.join('')));

test('lines are found alike with and without WebAssembly', () => {
  const needles = fc.option(
    fc.record({ bytes: fc.constantFrom('a', 'ab', 'ba', 'é', ' a', 'x\n').map(Buffer.from), ignoreCase: fc.boolean() }),
    {
      nil: undefined,
    },
  );
  fc.assert(
    fc.property(texts, needles, fc.nat(), fc.nat(), (content, needle, from, length) => {
      const start = from % (content.byteLength + 1);
      const end = start + (length % (content.byteLength - start + 1));
      const make = () => createLineFinder(needle, content.byteLength);
      const answers = [make(), without(make), withoutRoom(make)].map((finder) => {
        content.copy(finder.input);
        finder.start(start, 5);
        const hits = finder.next(end);
        const found = Array.from({ length: hits.count }, (_, at) => [hits.line(at), hits.start(at), hits.end(at)]);
        const { count, bytes, text, numbers, ends } = finder.collect(hits.count, { maxBytes: 20, base: 3 });
        return [
          found,
          finder.lineAt(end),
          finder.holdsNul(start, end),
          count,
          text.toString('latin1', 0, bytes),
          [...numbers.subarray(0, count)],
          [...ends.subarray(0, count)],
        ];
      });
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
    }),
    { numRuns: 300 },
  );
});

test('lines are counted alike', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 4 }), (pieces) => {
      const make = () => createLineCounter(8_192);
      const counts = [make(), without(make)].map((counter) => {
        for (const piece of pieces) {
          counter.blocks[0].set(piece);
          counter.count(counter.blocks[0], piece.byteLength);
        }
        return counter.lines();
      });
      expect(counts[1]).toBe(counts[0]);
    }),
  );
});

test('contents have the same hash', () => {
  const lengths = [0, 1, 3, 4, 8, 31, 32, 33, 240, 241, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 5000, 9001];
  for (const length of lengths) {
    const content = Buffer.from(Array.from({ length }, (_, at) => (at * 31 + (at >> 3)) & 0xff));
    const make = () => createContentHash(2048);
    const [fast, plain] = [make(), without(make)].map((hash) => {
      hash.begin();
      let at = 0;
      for (; length - at >= 2048; at += 2048) {
        content.copy(hash.block, 0, at);
        hash.addBlock();
      }
      content.copy(hash.block, 0, at);
      hash.end(length - at);
      return [...hash.words];
    });
    expect(plain, `${length} bytes`).toEqual(fast);
  }
});
