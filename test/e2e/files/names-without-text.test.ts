import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placeAnywhere } from '../../../src/files/place.ts';
import { createRealFiles } from '../../../src/files/real.ts';
import { openHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { openRecordedHouse } from '../undo/recorded-house.ts';

/** A path whose last name is no text. */
const raw = (at: string, byte = 0xff): Buffer => Buffer.concat([Buffer.from(`${at}/bad`), Buffer.from([byte])]);

/** A tree with names that are no text, at several depths. */
const plant = (at: string): void => {
  mkdirSync(`${at}/in/deep`, { recursive: true });
  writeFileSync(`${at}/in/a`, 'a');
  writeFileSync(raw(`${at}/in`), 'raw');
  mkdirSync(raw(`${at}/in/deep`));
  writeFileSync(Buffer.concat([raw(`${at}/in/deep`), Buffer.from('/inside')]), 'inside');
  symlinkSync(raw('to'), `${at}/in/link`);
};

const portrait = (at: string): string =>
  execFileSync('find', [at, '-printf', '%P %y %s %l\\n'], { encoding: 'latin1' }).split('\n').sort().join('\n');

describe.runIf(process.platform === 'linux')('a tree that holds names that are no text', () => {
  test('is removed', async () => {
    await using house = openHouse();
    plant(house.dir.at('d'));
    const { results } = await house.run([['FA_remove_dir_tree', ['d']]]);
    expect(results).toMatchObject([{ status: 'ok', value: true }]);
    expect(existsSync(house.dir.at('d'))).toBe(false);
  });

  test('is removed by a run that can be undone, and comes back as it was', async () => {
    using dir = tempDir({ 'w/keep': '' });
    plant(dir.at('w/d'));
    const before = portrait(dir.at('w'));
    await using house = openRecordedHouse({ cwd: dir.at('w'), stateDirectory: dir.at('state') });
    const { run_id, results } = await house.run([['FA_remove_dir_tree', ['d']]]);
    expect(results).toMatchObject([{ status: 'ok' }]);
    expect(results[0]?.notes).toBeUndefined();
    expect(readdirSync(dir.at('w'))).toEqual(['keep']);
    expect(await house.undoRun(run_id)).toMatchObject({ status: 'ok' });
    expect(portrait(dir.at('w'))).toBe(before);
  });

  test('is removed within what a caller may delete, each file counted', async () => {
    for (const [files, isEnough] of [
      [3, false],
      [4, true],
    ] as const) {
      using dir = tempDir();
      plant(dir.at('d'));
      let left: number = files;
      const port = createRealFiles({
        cwd: dir.path,
        place: placeAnywhere,
        policy: undefined,
        budget: {
          spend() {},
          countsBytes: false,
          remove(count: number) {
            left -= count;
            if (left < 0) throw new Error('too many');
          },
        },
      });
      const removing = port.removeTree('d', { signal: new AbortController().signal });
      await (isEnough ? expect(removing).resolves.toBeUndefined() : expect(removing).rejects.toThrow());
      expect(existsSync(dir.at('d'))).toBe(!isEnough);
    }
  });

  test('is planned to go with all that it holds', async () => {
    await using house = openHouse();
    plant(house.dir.at('d'));
    const { results } = await house.run({ actions: [['FA_remove_dir_tree', ['d']]], dry_run: true });
    const deleted = { kind: 'delete', target: house.dir.at('d/in/bad\\xff') };
    expect(results[0]?.plan).toMatchObject({ effects: expect.arrayContaining([deleted]) });
    expect(existsSync(house.dir.at('d'))).toBe(true);
  });

  test('is not entered where a link has taken its place', async () => {
    await using house = openHouse({ files: { 'outside/keep': 'k', 'd/a': '' } });
    symlinkSync(house.dir.at('outside'), raw(house.dir.at('d')));
    expect((await house.run([['FA_remove_dir_tree', ['d']]])).ok).toBe(true);
    expect(house.dir.read('outside/keep')).toBe('k');
  });
});

describe.runIf(process.platform === 'linux')('what leads to a name that is no text', () => {
  test.each([
    ['FA_zip_dir', { dir_we_want_to_zip: 's', zip_name: 'out' }, ['unzip', '-Z1', 'out.zip']],
    ['FA_create_tar', { source: 's', target: 'out.tar', compression: 'none' }, ['tar', 'tf', 'out.tar']],
  ])('is left out of what %s packs, never written with other bytes', async (name, args, [program = '', ...list]) => {
    await using house = openHouse({ files: { 's/a': 'a' } });
    symlinkSync(raw('to'), house.dir.at('s/link'));
    const { results } = await house.run([[name, { ...args, on_unreadable: 'skip' }]]);
    expect(results[0]).toMatchObject({ status: 'ok', notes: [{ kind: 'unreadable', paths: [house.dir.at('s/link')] }] });
    expect(execFileSync(program, list, { cwd: house.dir.path, encoding: 'utf8' })).not.toContain('link');
    expect((await house.run([[name, args]])).results[0]?.error?.context).toMatchObject({ code: 'EILSEQ', path: house.dir.at('s/link') });
  });
});

describe.runIf(process.platform === 'linux')('a target with a name that is no text', () => {
  test('is told by a difference and by a sync that deletes, and stays', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 'd/a': 'a', 'd/old': 'x' } });
    writeFileSync(raw(house.dir.at('d')), 'raw');
    const difference = (await house.run([['FA_diff_dirs', ['s', 'd']]])).results[0];
    expect(difference?.error?.message).toContain(house.dir.at('d/bad\\xff'));
    const synced = (await house.run([['FA_sync_dir', { src: 's', dst: 'd', delete: true }]])).results[0];
    expect(synced?.error?.message).toContain(house.dir.at('d/bad\\xff'));
    expect(existsSync(house.dir.at('d/old'))).toBe(false);
    expect(readFileSync(raw(house.dir.at('d')), 'utf8')).toBe('raw');
    expect((await house.run([['FA_sync_dir', { src: 's', dst: 'd' }]])).ok).toBe(true);
  });

  test('loses it with a directory that a sync deletes', async () => {
    await using house = openHouse({ files: { 's/a': 'a', 'd/a': 'a' } });
    plant(house.dir.at('d/old'));
    expect((await house.run([['FA_sync_dir', { src: 's', dst: 'd', delete: true, max_delete_share: 1 }]])).results[0]).toMatchObject({
      status: 'ok',
    });
    expect(readdirSync(house.dir.at('d'))).toEqual(['a']);
  });
});
