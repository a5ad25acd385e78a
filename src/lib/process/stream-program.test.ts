import { describe, expect, test } from 'vitest';
import { chunksOf, collect } from '../../../test/support/archives/memory.ts';
import { isRunning } from '../../../test/support/is-running.ts';
import { throughProgram } from './stream-program.ts';

const { signal } = new AbortController();
const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`).join(''));

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield BYTES;
}

describe('a program as a filter', () => {
  test('gives what it makes of its input', async () => {
    expect((await collect(throughProgram(chunksOf(BYTES), ['cat'], { signal }))).equals(BYTES)).toBe(true);
    expect((await collect(throughProgram(chunksOf(Buffer.from('abc')), ['tr', 'a-z', 'A-Z'], { signal }))).toString()).toBe('ABC');
  });

  test('may have nothing to read', async () => {
    expect((await collect(throughProgram(chunksOf(Buffer.alloc(0)), ['cat'], { signal }))).byteLength).toBe(0);
  });

  test('sees no environment but the search path', async () => {
    const seen = (await collect(throughProgram(chunksOf(Buffer.alloc(0)), ['env'], { signal }))).toString();
    expect(
      seen
        .split('\n')
        .map((line) => line.split('=')[0])
        .filter((name) => name !== '' && name !== '_')
        .sort(),
    ).toEqual(['LANG', 'PATH']);
  });

  test('that is not there is told by its name', async () => {
    await expect(collect(throughProgram(chunksOf(BYTES), ['no-such-program'], { signal }))).rejects.toMatchObject({
      type: 'ShellException',
      context: { program: 'no-such-program', code: 'ENOENT' },
    });
  });

  test('that fails says why', async () => {
    const work = collect(throughProgram(chunksOf(BYTES), ['sh', '-c', 'cat >/dev/null; echo no good >&2; exit 3'], { signal }));
    await expect(work).rejects.toThrow('sh failed with exit code 3: no good;');
  });

  test('that ends before its input does is a failure only if it says so', async () => {
    expect((await collect(throughProgram(endless(), ['head', '-c', '10'], { signal }))).byteLength).toBe(10);
    await expect(collect(throughProgram(endless(), ['sh', '-c', 'head -c 10; exit 1'], { signal }))).rejects.toMatchObject({
      context: { returncode: 1 },
    });
  });

  test('fails with its source', async () => {
    async function* failing() {
      yield BYTES;
      throw new Error('torn');
    }
    await expect(collect(throughProgram(failing(), ['cat'], { signal }))).rejects.toThrow('torn');
  });

  test('is ended with all it started when the signal fires', async () => {
    const controller = new AbortController();
    const pids: number[] = [];
    const reading = async () => {
      for await (const chunk of throughProgram(endless(), ['sh', '-c', 'sleep 1000 & echo $! $$; wait'], { signal: controller.signal })) {
        pids.push(...Buffer.from(chunk).toString().trim().split(' ').map(Number));
        controller.abort(new Error('enough'));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(pids).toHaveLength(2);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  test('is ended when nobody reads on', async () => {
    let pid = 0;
    for await (const chunk of throughProgram(endless(), ['sh', '-c', 'echo $$; cat'], { signal })) {
      pid = Number(Buffer.from(chunk).toString().split('\n')[0]);
      break;
    }
    expect(isRunning(pid)).toBe(false);
  });

  test('is not started for a signal that has fired', async () => {
    await expect(collect(throughProgram(chunksOf(BYTES), ['cat'], { signal: AbortSignal.abort(new Error('enough')) }))).rejects.toThrow(
      'enough',
    );
  });
});
