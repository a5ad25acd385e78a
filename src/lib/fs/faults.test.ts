import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CancelledException, PolicyException, TimeoutException } from '../../core/errors.ts';
import { translate } from './faults.ts';
import { ownFault, systemFault } from './system-fault.ts';

const faultOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (fault) {
    return fault;
  }
};
const place = { path: '/data/a.txt' };

describe('a system fault becomes a typed error', () => {
  test.each([
    ['ENOENT', 'FileNotExistsException', false],
    ['EEXIST', 'PathExistsException', false],
    ['EACCES', 'FileAccessException', false],
    ['EPERM', 'FileAccessException', false],
    ['EROFS', 'FileAccessException', false],
    ['ENOSPC', 'FileAccessException', false],
    ['EDQUOT', 'FileAccessException', false],
    ['EFBIG', 'FileAccessException', false],
    ['EISDIR', 'FileAccessException', false],
    ['ENOTDIR', 'FileAccessException', false],
    ['ENOTEMPTY', 'FileAccessException', false],
    ['ENAMETOOLONG', 'FileAccessException', false],
    ['EILSEQ', 'FileAccessException', false],
    ['ELOOP', 'FileAccessException', false],
    ['EMLINK', 'FileAccessException', false],
    ['EXDEV', 'FileAccessException', false],
    ['EINVAL', 'FileAccessException', false],
    ['ENOTSUP', 'FileAccessException', false],
    ['EOPNOTSUPP', 'FileAccessException', false],
    ['ENOSYS', 'FileAccessException', false],
    ['ENXIO', 'FileAccessException', false],
    ['ENODEV', 'FileAccessException', false],
    ['ECHILD', 'FileAccessException', false],
    ['EBUSY', 'FileAccessException', true],
    ['ETXTBSY', 'FileAccessException', true],
    ['EMFILE', 'FileAccessException', true],
    ['ENFILE', 'FileAccessException', true],
    ['ENOMEM', 'FileAccessException', true],
    ['EAGAIN', 'FileAccessException', true],
    ['EINTR', 'FileAccessException', true],
    ['EIO', 'FileAccessException', true],
    ['ESTALE', 'FileAccessException', true],
    ['ETIMEDOUT', 'FileAccessException', true],
  ] as const)('%s: %s, retryable %s', (code, type, retryable) => {
    const fault = systemFault(code, 'open', '/proc/self/fd/7/a.txt');
    const error = translate(fault, place);
    expect(error).toMatchObject({ type, retryable, context: { path: '/data/a.txt', code }, cause: fault });
    expect(error.message).toMatch(/^[^;]*\/data\/a\.txt[^;]*; [^;]+\.$/); // what and where; remedy
    expect(error.message).not.toContain('/proc');
  });

  test.each(['ECHANGED', 'ETAKEN'] as const)('%s of ours too', (code) => {
    const error = translate(ownFault(code), place);
    expect(error).toMatchObject({ type: 'FileAccessException', retryable: true, context: { path: '/data/a.txt', code } });
    expect(error.message).toMatch(/^[^;]*\/data\/a\.txt[^;]*; [^;]+\.$/);
  });

  test('a missing directory is named so when a directory was expected', () => {
    const error = translate(systemFault('ENOENT', 'scandir', 'x'), { path: 'x', argument: 'dir_path', missing: 'directory' });
    expect(error).toMatchObject({ type: 'DirNotExistsException', context: { path: 'x', argument: 'dir_path', code: 'ENOENT' } });
  });

  test('the real errors of Node are understood', () => {
    const empty = mkdtempSync(join(tmpdir(), 'factotum-faults-'));
    expect(
      translate(
        faultOf(() => readFileSync(join(empty, 'none'))),
        place,
      ),
    ).toMatchObject({ type: 'FileNotExistsException' });
    expect(
      translate(
        faultOf(() => readFileSync(empty)),
        place,
      ),
    ).toMatchObject({ context: { code: 'EISDIR' } });
    expect(
      translate(
        faultOf(() => readFileSync('a\0b')),
        place,
      ),
    ).toMatchObject({ type: 'ArgumentException' });
    rmdirSync(empty);
  });
});

describe('what is no system fault', () => {
  test('passes through when it is typed already', () => {
    const refusal = new PolicyException('no');
    expect(translate(refusal, place)).toBe(refusal);
  });

  test('is a cancellation when the work was aborted', async () => {
    const aborted = await readFile('/dev/null', { signal: AbortSignal.abort() }).catch((fault: unknown) => fault);
    expect(translate(aborted, place)).toBeInstanceOf(CancelledException);
    expect(translate(AbortSignal.abort().reason, place)).toBeInstanceOf(CancelledException);
  });

  test('is the typed reason of the abort where one was given', async () => {
    const reason = new TimeoutException('too slow');
    const aborted = await readFile('/dev/null', { signal: AbortSignal.abort(reason) }).catch((fault: unknown) => fault);
    expect(translate(aborted, place)).toBe(reason);
  });

  test.each([new TypeError('x is undefined'), 'text', undefined])('is a bug that shows nothing of the inside: %s', (fault) => {
    const error = translate(fault, place);
    expect(error).toMatchObject({ type: 'InternalException', context: place });
    expect(error.message).not.toContain('undefined');
    expect(error.cause).toBe(fault);
  });
});
