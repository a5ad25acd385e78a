import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CancelledException, PathTraversalException } from '../../core/errors.ts';
import { type CommitOptions, openAside } from './aside.ts';

const QUICK: CommitOptions = { durable: false, mode: undefined };

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-aside-')));
  mkdirSync(at('dir'));
  mkdirSync(at('dir/taken'));
  writeFileSync(at('dir/f'), 'old');
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (name: string): string => join(root, name);

function expectUntouched(): void {
  expect(readdirSync(at('dir')).sort()).toEqual(['f', 'taken']);
  expect(readFileSync(at('dir/f'), 'utf8')).toBe('old');
}

describe('a failure leaves the target as it was and no temporary file', () => {
  test('at the first change of a file whose handle was closed', async () => {
    const aside = await openAside(at('dir'));
    await aside.handle.close();
    await expect(aside.commit('f', QUICK)).rejects.toMatchObject({ code: 'EBADF' });
    expectUntouched();
  });

  test('at the mode', async () => {
    const aside = await openAside(at('dir'));
    await expect(aside.commit('f', { ...QUICK, mode: -1 })).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    expectUntouched();
  });

  test('at the rename, onto a directory', async () => {
    const aside = await openAside(at('dir'));
    await expect(aside.commit('taken', QUICK)).rejects.toMatchObject({ code: 'EISDIR' });
    expectUntouched();
  });

  test('at the rename, when the temporary file was taken away', async () => {
    const aside = await openAside(at('dir'));
    rmSync(aside.address);
    await expect(aside.commit('f', QUICK)).rejects.toMatchObject({ code: 'ENOENT' });
    expectUntouched();
  });

  test.each([true, false])('when the directory is removed, durable: %s', async (durable) => {
    mkdirSync(at('gone'));
    const aside = await openAside(at('gone'));
    rmSync(at('gone'), { recursive: true });
    await expect(aside.commit('f', { ...QUICK, durable })).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(root)).toEqual(['dir']);
  });

  test.each(['../f', 'a/b', '..', ''])('at the name %j, which is not a single one', async (name) => {
    const aside = await openAside(at('dir'));
    await expect(aside.commit(name, QUICK)).rejects.toThrow(PathTraversalException);
    expectUntouched();
  });

  test('at a name that is too long for the system', async () => {
    const aside = await openAside(at('dir'));
    await expect(aside.commit('n'.repeat(300), QUICK)).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
    expectUntouched();
  });

  test('when the work was aborted before the rename', async () => {
    const controller = new AbortController();
    const reason = new CancelledException('stopped');
    const aside = await openAside(at('dir'), { signal: controller.signal });
    controller.abort(reason);
    await expect(aside.commit('f', QUICK)).rejects.toBe(reason);
    expectUntouched();
    await expect(openAside(at('dir'), { signal: controller.signal })).rejects.toBe(reason);
    expectUntouched();
  });

  test('when the directory does not exist in the first place', async () => {
    await expect(openAside(at('none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('when the disk is full', async ({ skip }) => {
    mkdirSync(at('small'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', at('small')], { stdio: 'ignore' });
    } catch {
      skip('needs the right to mount a small tmpfs');
    }
    try {
      writeFileSync(at('small/f'), 'old');
      const write = async (): Promise<void> => {
        await using aside = await openAside(at('small'));
        await aside.handle.writeFile(Buffer.alloc(1 << 20));
        await aside.commit('f', QUICK);
      };
      await expect(write()).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(readdirSync(at('small'))).toEqual(['f']);
      expect(readFileSync(at('small/f'), 'utf8')).toBe('old');
    } finally {
      execFileSync('umount', [at('small')]);
    }
  });
});
