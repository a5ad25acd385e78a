import { expect, expectTypeOf, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import * as door from '../../index.ts';

test('call gives the value of the action, with its type', async () => {
  using dir = tempDir({ 'a.txt': 'hello' });
  const stat = await door.call('FA_stat', { path: dir.at('a.txt') });
  expectTypeOf(stat).toEqualTypeOf<door.ActionValue<'FA_stat'>>();
  expect(stat?.size).toBe(5);
  expect(await door.call('FA_read_file', [dir.at('a.txt')])).toBe('hello');
  expect(await door.call('FA_progress_list')).toEqual([]);
});

test('call throws the class of the error', async () => {
  using dir = tempDir();
  const fault = await door.call('FA_read_file', { file_path: dir.at('missing.txt') }).catch((each: unknown) => each);
  expect(fault).toBeInstanceOf(door.errors.FileNotExistsException);
  expect(fault).toMatchObject({ type: 'FileNotExistsException', context: { argument: 'file_path' } });
  await expect(door.fileChecksum(dir.at('missing.txt'))).rejects.toBeInstanceOf(door.errors.FileNotExistsException);
});

test('a call that is stopped throws that it was cancelled', async () => {
  const fault = await door.call('FA_stat', { path: '.' }, { signal: AbortSignal.abort() }).catch((each: unknown) => each);
  expect(fault).toBeInstanceOf(door.errors.CancelledException);
});

test('references are read, and texts that go through literal stand for themselves', async () => {
  const text = '${env:HOME}';
  expect(await door.call('FA_safe_join', { root: '/', user_path: '${env:NO_SUCH_NAME}' }).catch((each: unknown) => each)).toBeInstanceOf(
    door.errors.SubstitutionException,
  );
  expect(await door.call('FA_safe_join', door.literal({ root: '/', user_path: text }))).toBe(`/${text}`);
});

test('an error that a plugin made up keeps its name', async () => {
  class OddException extends door.FileAutomationException {
    readonly type = 'OddException';
  }
  door.addCommandToExecutor({
    FA_odd: () => {
      throw new OddException('It is odd.');
    },
  });
  const callbacks = new door.CallbackExecutor();
  const fault = await callbacks.run({ action: 'FA_odd' as 'FA_stat', callback: () => {} }).catch((each: unknown) => each); // not declared
  expect(fault).toBeInstanceOf(door.FileAutomationException);
  expect(fault).toMatchObject({ name: 'OddException', message: 'It is odd.' });
});
