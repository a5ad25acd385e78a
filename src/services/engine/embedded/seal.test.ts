import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { submission } from '../../../../test/e2e/store/contract/suite.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { openConnection } from '../driver.ts';
import { embeddedStore, storeFileIn } from './embedded-store.ts';
import { isSealed, keyFileOf, sealBy, UNSEALED } from './seal.ts';

describe('a seal', () => {
  test('keeps a text from whoever has no key, and gives it back to whoever has', () => {
    using dir = tempDir();
    const { seal, open } = sealBy(dir.at('key'));
    const sealed = [seal('"hunter2 äöü"'), seal('"hunter2 äöü"')];
    expect(sealed.map(isSealed)).toEqual([true, true]);
    expect(new Set(sealed).size).toBe(2); // nobody can tell that they are the same
    expect(sealed.map(open)).toEqual(['"hunter2 äöü"', '"hunter2 äöü"']);
    expect(sealBy(dir.at('key')).open(sealed[0] ?? '')).toBe('"hunter2 äöü"');
    for (const other of [sealBy(dir.at('other')), UNSEALED]) expect(other.open(sealed[0] ?? '')).toBe('null');
    expect(open('["as it was"]')).toBe('["as it was"]');
  });

  test('is not opened where a letter of it was changed', () => {
    using dir = tempDir();
    const { seal, open } = sealBy(dir.at('key'));
    const sealed = seal('"hunter2"');
    const at = sealed.length - 10;
    expect(open(`${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`)).toBe('null');
    expect(open('sealed:1:')).toBe('null');
  });

  test.skipIf(process.platform === 'win32')('has one key however many begin at once, for its owner alone', () => {
    using dir = tempDir();
    const [one, other] = [sealBy(dir.at('key')), sealBy(dir.at('key'))];
    expect(other.open(one.seal('1')) + one.open(other.seal('2'))).toBe('12');
    expect([readdirSync(dir.path), statSync(dir.at('key')).mode & 0o777]).toEqual([['key'], 0o600]);
    chmodSync(dir.at('key'), 0o640);
    expect(() => sealBy(dir.at('key')).seal('x')).toThrow(/chmod go=/);
  });

  test('refuses half a key', () => {
    using dir = tempDir();
    writeFileSync(dir.at('key'), 'short', { mode: 0o600 });
    expect(() => sealBy(dir.at('key')).seal('x')).toThrow(/is no key of a store/);
  });
});

const SECRET = 'hunter2-hunter2-hunter2';
const bytesIn = (state: string) => Buffer.concat(readdirSync(state).map((name) => readFileSync(`${state}/${name}`))).toString('latin1');

describe('a store', () => {
  test('seals what an older factotum wrote when it is opened', async () => {
    using dir = tempDir();
    const [state, file] = [dir.at('state'), storeFileIn(dir.at('state'))];
    {
      await using store = embeddedStore({ file });
      await store.submit(submission({ body: [['FA_x', { password: '?' }]], kept: [['FA_x', { password: '***' }]] }));
    }
    const db = openConnection(file);
    db.exec(`DELETE FROM meta WHERE name = 'sealed'; UPDATE request SET body = '[["FA_x", {"password": "${SECRET}"}]]'`);
    db.exec(`INSERT INTO schedule VALUES ('s', '* * * * *', NULL, '["${SECRET}"]', '{}', 1, 0, NULL, NULL, 0, 0)`);
    db.exec(`INSERT INTO watcher VALUES ('w', '/x', '["${SECRET}"]', '{}', 1, 0)`);
    db.close();
    expect(bytesIn(state)).toContain(SECRET);
    {
      await using store = embeddedStore({ file });
      expect([(await store.schedules.get('s'))?.body, (await store.watchers.get('w'))?.body]).toEqual([[SECRET], [SECRET]]);
      expect(await store.claim({ worker: 'w', max: 1 })).toMatchObject([{ body: [['FA_x', { password: SECRET }]] }]);
    }
    expect(bytesIn(state)).not.toContain(SECRET);
  });

  test('takes a secret out of its log too that became known while the list ran', async () => {
    using dir = tempDir();
    const [state, file] = [dir.at('state'), storeFileIn(dir.at('state'))];
    await using store = embeddedStore({ file });
    await store.submit(submission({ body: [['FA_x', SECRET]] }));
    const [claim] = await store.claim({ worker: 'w', max: 1 });
    if (claim === undefined) throw new Error('nothing was due');
    const error = { type: 'QueueException', message: 'later', retryable: true, context: {} };
    await store.settle([{ ...claim, end: 'retry', runAt: 0, error, kept: [['FA_x', '***']] }]);
    expect(bytesIn(state)).not.toContain(SECRET);
    expect(await store.claim({ worker: 'w', max: 1 })).toMatchObject([{ body: [['FA_x', SECRET]] }]);
  });

  test('knows a list that was sent twice, though it is sealed', async () => {
    using dir = tempDir();
    await using store = embeddedStore({ file: storeFileIn(dir.at('state')) });
    const asked = submission({ key: 'k', body: [['FA_x', SECRET]], kept: [['FA_x', '***']] });
    await store.submit(asked);
    expect(await store.submit(asked)).toMatchObject({ isDuplicate: true, isSameBody: true });
    expect(await store.submit({ ...asked, body: [['FA_x', 'other']] })).toMatchObject({ isDuplicate: true });
    expect((await store.runs({ text: SECRET })).items).toEqual([]);
    expect((await store.runs({ action: 'FA_x' })).items).toHaveLength(1);
  });

  test('goes on where its key is lost, without the lists that it sealed', async () => {
    using dir = tempDir();
    const file = storeFileIn(dir.at('state'));
    {
      await using store = embeddedStore({ file });
      await store.submit(submission({ body: [['FA_x', SECRET]], kept: [['FA_x', '***']] }));
      await store.submit(submission());
    }
    writeFileSync(keyFileOf(file), Buffer.alloc(32), { mode: 0o600 });
    await using store = embeddedStore({ file });
    const bodies = (await store.claim({ worker: 'w', max: 2 })).map(({ body }) => body);
    expect(bodies).toEqual([null, submission().body]);
  });
});
