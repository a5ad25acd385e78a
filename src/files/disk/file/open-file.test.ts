import { closeSync, constants, fstatSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openFile, openResolved, QUICK_BYTES } from './open-file.ts';

const { O_RDONLY, O_RDWR } = constants;

describe('an open file', () => {
  test('reads and writes a little at once, the rest in the background', async () => {
    using dir = tempDir({ f: Buffer.alloc(QUICK_BYTES * 2, 'x') });
    const file = openFile(dir.at('f'), O_RDWR);
    expect(file.read(Buffer.alloc(10), 0)).toBe(10);
    expect(file.read(Buffer.alloc(QUICK_BYTES), 0)).toBeInstanceOf(Promise);
    expect(file.write(Buffer.from('y'), 0)).toBeInstanceOf(Promise);
    await file.close();
    expect(readFileSync(dir.at('f'), 'utf8').slice(0, 2)).toBe('yx');
  });

  test('is closed once, after what is under way', async () => {
    using dir = tempDir({ f: '' });
    const file = openFile(dir.at('f'), O_RDWR);
    const writing = file.write(Buffer.alloc(8_000_000, 'z'), 0);
    const closing = file.close();
    expect(closing).toBeInstanceOf(Promise);
    await Promise.all([writing, closing]);
    expect(readFileSync(dir.at('f'))).toHaveLength(8_000_000);
    const next = openSync(dir.at('f'), 'r');
    await file.close();
    expect(fstatSync(next).size).toBe(8_000_000);
    closeSync(next);
  });

  test('does nothing any more when closed', () => {
    using dir = tempDir({ f: '' });
    const file = openFile(dir.at('f'), O_RDONLY);
    void file.close();
    expect(() => file.read(Buffer.alloc(1), 0)).toThrow(expect.objectContaining({ code: 'EBADF' }));
    expect(() => file.write(Buffer.alloc(1), 0)).toThrow(expect.objectContaining({ code: 'EBADF' }));
  });

  test('is never reached through a link', () => {
    using dir = tempDir({ f: '' });
    symlinkSync('f', dir.at('l'));
    expect(() => openResolved(dir.at('l'), 'shown')).toThrow(
      expect.objectContaining({ type: 'PathTraversalException', context: { path: 'shown', reason: 'replaced' } }),
    );
  });
});
