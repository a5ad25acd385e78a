import { expect, test } from 'vitest';
import { FileAccessException } from '../../../core/errors.ts';
import { namingTarget } from './stage.ts';

const failing = (path: string) =>
  namingTarget('/d/.hidden', '/d/target', async () => {
    throw new FileAccessException(`No space is left on the device of ${path}; free some and run again.`, {
      context: { path, code: 'ENOSPC' },
    });
  });

test('what fails in a stage is told of the place where it was to appear', async () => {
  await expect(failing('/d/.hidden/x/f')).rejects.toMatchObject({
    message: 'No space is left on the device of /d/target/x/f; free some and run again.',
    context: { path: '/d/target/x/f', code: 'ENOSPC' },
  });
});

test('what fails elsewhere keeps its name', async () => {
  await expect(failing('/d/archive')).rejects.toMatchObject({ context: { path: '/d/archive' } });
});
