import { expect, test } from 'vitest';
import type { RunNews } from '../../../../core/ports/runs.ts';
import { createPieces } from './pieces.ts';

const COMMANDS = 1_000;

const command = (index: number): RunNews => ({
  id: index + 1,
  kind: 'command',
  command: { index, id: null, action: 'FA_x', state: 'ok', value: 'x'.repeat(100) },
});
const done: RunNews = {
  id: COMMANDS + 1,
  kind: 'done',
  run: { runId: 'r', state: 'ok', submittedAt: 0, startedAt: 0, endedAt: 0 } as never,
}; // only what is shown of it matters
const ALL = [...Array.from({ length: COMMANDS }, (_, index) => command(index)), done];

const open = (all: readonly RunNews[] = ALL) => {
  let asked = 0;
  let masked = 0;
  const pieceOf = createPieces({
    runs: {
      async events(_, after, limit = all.length) {
        asked += 1;
        return all.filter(({ id }) => id > after).slice(0, limit);
      },
    },
    masker: {
      known(value) {
        masked += 1;
        return value;
      },
    },
  });
  const follow = async () => {
    const pieces: Uint8Array[] = [];
    for (let last = 0; ; ) {
      const piece = await pieceOf('r', last);
      if (piece === undefined) return pieces;
      pieces.push(piece.content);
      ({ last } = piece);
      if (piece.isEnd) return pieces;
    }
  };
  return { pieceOf, follow, seen: () => ({ asked, masked }) };
};

test('a thousand followers of a run that is over share what one of them costs', async () => {
  const { follow, seen } = open();
  const [first = [], ...others] = await Promise.all(Array.from({ length: 1_000 }, follow));
  expect(first.length).toBeGreaterThan(4); // in pieces, so that a slow follower is waited for
  expect(
    Buffer.concat(first)
      .toString()
      .match(/^event: command$/gm),
  ).toHaveLength(COMMANDS);
  // The very same bytes, not copies of them.
  expect(others.every((pieces) => pieces.every((piece, at) => piece === first[at]))).toBe(true);
  expect(seen()).toEqual({ asked: first.length, masked: ALL.length });
});

test('news of a run that goes on is never missed', async () => {
  const all: RunNews[] = [command(0)];
  const { pieceOf } = open(all);
  expect((await pieceOf('r', 0))?.last).toBe(1);
  expect(await pieceOf('r', 1)).toBeUndefined();
  all.push(command(1));
  expect((await pieceOf('r', 1))?.last).toBe(2);
});

test('what fails is asked again', async () => {
  let isBroken = true;
  const pieceOf = createPieces({
    runs: {
      async events() {
        if (isBroken) throw new Error('busy');
        return [done];
      },
    },
    masker: { known: (value) => value },
  });
  await expect(pieceOf('r', 0)).rejects.toThrow('busy');
  isBroken = false;
  expect(await pieceOf('r', 0)).toMatchObject({ isEnd: true });
});
