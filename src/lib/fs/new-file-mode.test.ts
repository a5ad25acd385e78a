import { expect, test } from 'vitest';
import { newFileMode } from './new-file-mode.ts';

test('new files are open to whom the umask leaves, and reading it changes nothing', () => {
  const umask = process.umask();
  expect(newFileMode()).toBe(0o666 & ~umask);
  expect(process.umask()).toBe(umask);
});
