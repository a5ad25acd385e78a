import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { appendWhole } from './append-whole.ts';

/** How many bytes the disk still takes. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    writeSync: (file: number, bytes: Uint8Array, at: number) => {
      if (disk.room === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
      const written = fs.writeSync(file, bytes, at, Math.min(bytes.length - at, disk.room));
      disk.room -= written;
      return written;
    },
  };
});

const withFile = (work: (file: number, read: () => string) => void) => {
  using dir = tempDir({ f: '' });
  const file = openSync(dir.at('f'), 'a');
  try {
    work(file, () => readFileSync(dir.at('f'), 'utf8'));
  } finally {
    closeSync(file);
    disk.room = Number.POSITIVE_INFINITY;
  }
};

test('bytes are appended to the last one, and the new size is told', () =>
  withFile((file, read) => {
    const size = appendWhole(file, Buffer.from('one\n'), 0);
    expect(appendWhole(file, Buffer.from('two\n'), size)).toBe(8);
    expect(read()).toBe('one\ntwo\n');
  }));

test('what a full disk took of them is cut off, so that the next ones follow whole ones', () =>
  withFile((file, read) => {
    const size = appendWhole(file, Buffer.from('one\n'), 0);
    disk.room = 2;
    expect(() => appendWhole(file, Buffer.from('two\n'), size)).toThrow('ENOSPC');
    expect([read(), fstatSync(file).size]).toEqual(['one\n', 4]);
    disk.room = Number.POSITIVE_INFINITY;
    appendWhole(file, Buffer.from('three\n'), size);
    expect(read()).toBe('one\nthree\n');
  }));
