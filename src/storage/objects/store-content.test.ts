import { describe, expect, test } from 'vitest';
import { StorageException } from '../../core/errors.ts';
import type { HeldPart, Outgoing } from '../../core/storage.ts';
import { createFaults } from '../faults.ts';
import type { Piece } from './pieces.ts';
import { type StoreSteps, storeContent } from './store-content.ts';

const PIECE = 10;

const content = (bytes: number, told: number | 'unknown' = bytes): Outgoing => ({
  ...(told !== 'unknown' && { bytes: told }),
  async *chunks() {
    for (let at = 0; at < bytes; at += 4) yield Buffer.alloc(Math.min(4, bytes - at), at);
  },
});

const held = ({ number, content: { byteLength } }: Piece): HeldPart => ({ number, bytes: byteLength, receipt: String(number) });

/** A service that writes down what is asked of it. */
const service = (put: (piece: Piece, signal: AbortSignal) => Promise<HeldPart> = async (piece) => held(piece)) => {
  const told: string[] = [];
  const controller = new AbortController();
  const steps: StoreSteps = {
    bytesOf: () => PIECE,
    digests: [],
    putWhole: async ({ content: { byteLength } }) => {
      told.push(`whole ${byteLength}`);
      return { path: 'x', kind: 'file', bytes: byteLength };
    },
    start: async () => ({
      put,
      commit: async (parts) => {
        told.push(`commit ${parts.map(({ number }) => number).join()}`);
        return { path: 'x', kind: 'file', bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0) };
      },
      discard: async () => void told.push('discard'),
    }),
    signal: controller.signal,
    faults: createFaults(StorageException, 'mem:/'),
    path: 'x',
  };
  return { steps, told, controller };
};

describe('content', () => {
  test.each([
    [0, 'whole 0'],
    [9, 'whole 9'],
    [10, 'whole 10'],
    [11, 'commit 1,2'],
    [45, 'commit 1,2,3,4,5'],
  ])('of %d bytes is sent as %s', async (bytes, expected) => {
    for (const known of [bytes, 'unknown'] as const) {
      const { steps, told } = service();
      expect(await storeContent(content(bytes, known), steps)).toMatchObject({ bytes });
      expect(told).toEqual([expected]);
    }
  });

  test('of another length than it said is not committed', async () => {
    for (const bytes of [5, 25]) {
      const { steps, told } = service();
      await expect(storeContent(content(bytes, bytes + 1), steps)).rejects.toMatchObject({ context: { code: 'changed' } });
      expect(told).toEqual(bytes > PIECE ? ['discard'] : []);
    }
  });

  test('is committed in order, with few pieces under way', async () => {
    let [now, most] = [0, 0];
    const { steps, told } = service(async (piece) => {
      now += 1;
      most = Math.max(most, now);
      for (let turn = piece.number % 3; turn >= 0; turn -= 1) await new Promise(setImmediate);
      now -= 1;
      return held(piece);
    });
    await storeContent(content(95), steps);
    expect([told, most]).toEqual([['commit 1,2,3,4,5,6,7,8,9,10'], 3]);
  });
});

describe('a failure', () => {
  test('of one piece stops the others, and everything is given up when they have ended', async () => {
    const ended: number[] = [];
    const { steps, told } = service((piece, signal) => {
      if (piece.number === 2) return Promise.reject(new Error('refused'));
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(piece.number);
          reject(signal.reason);
        });
      });
    });
    await expect(storeContent(content(95), steps)).rejects.toThrow('refused');
    expect([ended.includes(1), told]).toEqual([true, ['discard']]);
  });

  test('of the source is told as it is', async () => {
    const { steps, told } = service();
    const broken: Outgoing = {
      async *chunks() {
        yield Buffer.alloc(25);
        throw new Error('the source broke');
      },
    };
    await expect(storeContent(broken, steps)).rejects.toThrow('the source broke');
    expect(told).toEqual(['discard']);
  });

  test('of the signal gives its reason', async () => {
    const { steps, told, controller } = service();
    const endless: Outgoing = {
      async *chunks() {
        for (let count = 0; ; count += 1) {
          if (count === 5) controller.abort(new Error('enough'));
          yield Buffer.alloc(PIECE);
        }
      },
    };
    await expect(storeContent(endless, steps)).rejects.toThrow('enough');
    expect(told).toEqual(['discard']);
  });

  test('to give up hides nothing of what came first', async () => {
    const { steps } = service(() => Promise.reject(new Error('refused')));
    const start = async () => ({ ...(await steps.start()), discard: () => Promise.reject(new Error('and cannot be given up')) });
    await expect(storeContent(content(25), { ...steps, start })).rejects.toThrow('refused');
  });
});
