import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renameIfFree, renameOverClaim } from './rename-if-free.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-rename-')));
  writeFileSync(join(root, 'from'), 'new');
});
afterEach(() => rmSync(root, { recursive: true }));

describe.each([
  ['with hard links', renameIfFree],
  ['without hard links', renameOverClaim],
])('%s', (_, place) => {
  test('a free name is taken and the old one is gone', async () => {
    await place(join(root, 'from'), join(root, 'to'));
    expect(readdirSync(root)).toEqual(['to']);
    expect(readFileSync(join(root, 'to'), 'utf8')).toBe('new');
    expect(statSync(join(root, 'to')).nlink).toBe(1);
  });

  test('a name that is taken stays as it was', async () => {
    writeFileSync(join(root, 'to'), 'old');
    await expect(place(join(root, 'from'), join(root, 'to'))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(join(root, 'to'), 'utf8')).toBe('old');
    expect(existsSync(join(root, 'from'))).toBe(true);
  });

  test('a dangling link takes a name too, and is not followed', async () => {
    symlinkSync('elsewhere', join(root, 'to'));
    await expect(place(join(root, 'from'), join(root, 'to'))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readdirSync(root).sort()).toEqual(['from', 'to']);
  });

  test('of many that move one file to different places at once, one has it and the others leave nothing', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const outcomes = await Promise.allSettled(names.map((name) => place(join(root, 'from'), join(root, name))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(root)).toEqual(names.filter((_, at) => outcomes[at]?.status === 'fulfilled'));
    expect(readdirSync(root).map((name) => [readFileSync(join(root, name), 'utf8'), statSync(join(root, name)).nlink])).toEqual([
      ['new', 1],
    ]);
  });

  test('a missing source leaves nothing behind', async () => {
    await expect(place(join(root, 'none'), join(root, 'to'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readdirSync(root)).toEqual(['from']);
  });
});

test('a source that the system does not hard-link is tried the other way, and a failure there takes the claim back', async () => {
  mkdirSync(join(root, 'dir'));
  await expect(renameIfFree(join(root, 'dir'), join(root, 'to'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(readdirSync(root).sort()).toEqual(['dir', 'from']);
});
