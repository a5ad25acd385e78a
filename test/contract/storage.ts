import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { StorageException } from '../../src/core/errors.ts';
import type { Outgoing, Storage } from '../../src/core/storage.ts';
import { code, everything, ODD_NAMES, outgoing, textOf } from './storage-samples.ts';

/** A storage under test, with a directory of its own that nobody else uses. */
export interface StorageUnderTest {
  readonly name: string;
  open(): Storage | Promise<Storage>;
  /** Where the suite may do as it likes; the root by default. */
  readonly directory?: string;
  /** The odd names that the protocol cannot carry: exactly these are refused, before anything is sent. */
  readonly refuses?: RegExp;
  /** Names that the server keeps, but leaves out of its listings. */
  readonly hides?: RegExp;
}

const { signal } = new AbortController();

/**
 * What every storage owes, read from what it says it can: the claimed works, the unclaimed is refused with the typed error. There is no
 * list of tests that a backend may leave out.
 */
export const storageContract = ({ name, open, directory = '', refuses, hides }: StorageUnderTest): void => {
  describe(`the storage ${name}`, async () => {
    const storage = await open();
    afterAll(() => storage[Symbol.asyncDispose]());
    let count = 0;
    /** A path in a directory that no other test uses. */
    const fresh = (...names: readonly string[]): string => {
      count += 1;
      return [directory, `case ${count}`, ...names].filter((each) => each !== '').join('/');
    };
    const put = (path: string, content: string) => storage.write(path, outgoing(content), { signal });
    const get = async (path: string) => textOf(await storage.read(path, { signal }));

    describe('a file', () => {
      test('comes back as it went', async () => {
        const path = fresh('a.txt');
        const item = await put(path, 'hello');
        expect(item).toMatchObject({ path, kind: 'file', bytes: 5 });
        expect(await get(path)).toBe('hello');
        expect(await storage.stat(path, { signal })).toMatchObject({ path, kind: 'file', bytes: 5 });
      });

      test('may be empty', async () => {
        const path = fresh('empty');
        await put(path, '');
        expect(await storage.stat(path, { signal })).toMatchObject({ kind: 'file', bytes: 0 });
        expect(await get(path)).toBe('');
      });

      test('may hold any bytes', async () => {
        const path = fresh('bytes');
        const content = Uint8Array.from({ length: 5000 }, (_, at) => at % 256);
        await storage.write(path, outgoing(content), { signal });
        const chunks: Buffer[] = [];
        for await (const chunk of await storage.read(path, { signal })) chunks.push(Buffer.from(chunk));
        expect(Buffer.concat(chunks).equals(content)).toBe(true);
      });

      test('takes the place of an older one', async () => {
        const path = fresh('a.txt');
        await put(path, 'a long text that is replaced');
        await put(path, 'short');
        expect(await get(path)).toBe('short');
      });

      test('gets the directories that are missing', async () => {
        const path = fresh('one', 'two', 'a.txt');
        await put(path, 'x');
        expect(await get(path)).toBe('x');
      });

      test.each(ODD_NAMES)('may be called %j', async (odd) => {
        const path = fresh(odd);
        if (refuses?.test(odd) === true) {
          for (const each of [put(path, odd), get(path), storage.stat(path, { signal }), storage.remove(path, { signal })])
            await expect(each).rejects.toEqual(code('bad_name'));
          return;
        }
        await put(path, odd);
        expect(await get(path)).toBe(odd);
        expect(await everything(storage.list(path.slice(0, path.lastIndexOf('/')), { signal }))).toEqual(hides?.test(odd) ? [] : [path]);
        expect(await storage.remove(path, { signal })).toBe(true);
      });

      test('is told apart from its like by every letter', async () => {
        const [one, two] = [fresh('caf\u00e9'), ''];
        const other = `${one.slice(0, one.lastIndexOf('/'))}/cafe\u0301${two}`;
        await put(one, 'composed');
        await put(other, 'decomposed');
        expect([await get(one), await get(other)]).toEqual(['composed', 'decomposed']);
      });

      test('has another version when its content is another', async () => {
        const path = fresh('a.txt');
        const first = await put(path, 'one');
        const second = await put(path, 'two, and longer');
        if (first.version === undefined) expect(second.version).toBeUndefined();
        else expect(second.version).not.toBe(first.version);
        expect((await storage.stat(path, { signal }))?.version).toBe(second.version);
      });

      test('has the digests that the storage claims', async () => {
        const path = fresh('a.txt');
        await put(path, 'digest me');
        const { hashes = {} } = (await storage.stat(path, { signal })) ?? {};
        for (const hash of storage.can.hashes) {
          if (hash === 'sha256' || hash === 'sha1' || hash === 'md5')
            expect(hashes[hash]).toBe(createHash(hash).update('digest me').digest('hex'));
          else expect(hashes[hash]).toMatch(/^[0-9a-f]+$/);
        }
      });

      test('has the time that it was given, where times can be set', async () => {
        const path = fresh('a.txt');
        const modifiedMs = Date.UTC(2020, 1, 3, 4, 5, 6);
        await storage.write(path, outgoing('x'), { signal, modifiedMs });
        const found = (await storage.stat(path, { signal }))?.modifiedMs;
        if (storage.can.timeStepMs === undefined) expect(found).not.toBe(modifiedMs);
        else expect(found).toBe(modifiedMs);
      });
    });

    describe('a part of a file', () => {
      test.each([
        [{ start: 0 }, 'hello world'],
        [{ start: 6 }, 'world'],
        [{ start: 3, end: 5 }, 'lo'],
        [{ start: 0, end: 1 }, 'h'],
        [{ start: 10, end: 11 }, 'd'],
      ])('%j', async (stretch, expected) => {
        const path = fresh('a.txt');
        await put(path, 'hello world');
        const reading = storage.read(path, { signal, stretch });
        if (storage.can.range || stretch.start === 0)
          expect(await textOf(await reading)).toBe(storage.can.range ? expected : 'hello world');
        else await expect(reading).rejects.toEqual(code('unsupported'));
      });
    });

    describe('what is not there', () => {
      test('is undefined, and refused by a read', async () => {
        const path = fresh('missing');
        expect(await storage.stat(path, { signal })).toBeUndefined();
        await expect(storage.read(path, { signal })).rejects.toBeInstanceOf(StorageException);
        await expect(storage.read(path, { signal })).rejects.toEqual(code('not_found'));
      });

      test('is told by a removal, which is no failure', async () => {
        const path = fresh('a.txt');
        await put(path, 'x');
        expect(await storage.remove(path, { signal })).toBe(true);
        expect(await storage.remove(path, { signal })).toBe(false);
        expect(await storage.stat(path, { signal })).toBeUndefined();
      });

      test('lists as nothing', async () => {
        expect(await everything(storage.list(fresh('missing'), { signal, deep: true }))).toEqual([]);
      });
    });

    describe('a directory', () => {
      test('lists what is in it, and below where asked', async () => {
        const root = fresh('tree');
        for (const path of ['b.txt', 'a/x.txt', 'a/deep/y.txt', 'a b/z.txt']) await put(`${root}/${path}`, path);
        const shown = (paths: readonly string[]) => paths.map((path) => path.slice(root.length + 1));
        expect(shown(await everything(storage.list(root, { signal })))).toEqual(['a b/', 'a/', 'b.txt']);
        const deep = shown(await everything(storage.list(root, { signal, deep: true })));
        const files = ['a b/z.txt', 'a/deep/y.txt', 'a/x.txt', 'b.txt'];
        expect(deep.filter((path) => !path.endsWith('/'))).toEqual(files);
        if (storage.can.directories === 'real')
          expect(deep).toEqual(['a b/', ...files.slice(0, 1), 'a/', 'a/deep/', ...files.slice(1)].sort());
      });

      test('comes before what is in it', async () => {
        const root = fresh('tree');
        for (const path of ['a/x', 'a/b/y', 'a/b/c/z']) await put(`${root}/${path}`, path);
        const seen: string[] = [];
        for await (const { path, kind } of storage.list(root, { signal, deep: true })) {
          const parent = path.slice(0, path.lastIndexOf('/'));
          if (storage.can.directories === 'real' && parent !== root) expect(seen).toContain(parent);
          if (kind === 'dir') seen.push(path);
        }
      });

      test('is no prefix: names that begin alike are not in it', async () => {
        const root = fresh('tree');
        for (const path of ['ab/x', 'abc/y', 'ab.txt']) await put(`${root}/${path}`, path);
        expect(await everything(storage.list(`${root}/ab`, { signal, deep: true }))).toEqual([`${root}/ab/x`]);
      });

      test('is none to read, write or remove as a file', async () => {
        const root = fresh('tree');
        await put(`${root}/x`, 'x');
        if (storage.can.directories !== 'real') return expect(await storage.stat(`${root}`, { signal })).toMatchObject({ kind: 'dir' });
        expect(await storage.stat(root, { signal })).toMatchObject({ path: root, kind: 'dir' });
        await expect(storage.read(root, { signal })).rejects.toEqual(code('is_directory'));
        await expect(put(root, 'y')).rejects.toEqual(code('is_directory'));
        await expect(storage.remove(root, { signal })).rejects.toEqual(code('is_directory'));
      });

      test('is made, with those above it, and removed when it is empty, where directories are real', async () => {
        const path = fresh('one', 'two');
        const { makeDir, removeDir } = storage;
        expect([makeDir, removeDir].every((each) => each !== undefined)).toBe(storage.can.directories === 'real');
        if (makeDir === undefined || removeDir === undefined) return;
        await makeDir(path, { signal });
        await makeDir(path, { signal }); // again
        expect(await storage.stat(path, { signal })).toMatchObject({ kind: 'dir' });
        await put(`${path}/x`, 'x');
        await expect(removeDir(path, { signal })).rejects.toEqual(code('not_empty'));
        await storage.remove(`${path}/x`, { signal });
        expect(await removeDir(path, { signal })).toBe(true);
        expect(await removeDir(path, { signal })).toBe(false);
      });
    });

    describe('a write', () => {
      test('refuses to replace where it is told to and can', async () => {
        const path = fresh('a.txt');
        await put(path, 'first');
        const second = storage.write(path, outgoing('second'), { signal, exclusive: true });
        await expect(second).rejects.toEqual(code(storage.can.exclusiveWrite ? 'exists' : 'unsupported'));
        expect(await get(path)).toBe('first');
      });

      test('that breaks in the middle leaves what was there', async () => {
        const path = fresh('a.txt');
        await put(path, 'old');
        const broken: Outgoing = {
          bytes: 3000,
          async *chunks() {
            yield Buffer.alloc(1000);
            throw new Error('the source broke');
          },
        };
        await expect(storage.write(path, broken, { signal })).rejects.toThrow('the source broke');
        expect(await get(path)).toBe('old');
        expect(await everything(storage.list(path.slice(0, path.lastIndexOf('/')), { signal }))).toEqual([path]);
      });

      test('that is cancelled leaves nothing', async () => {
        const path = fresh('a.txt');
        const controller = new AbortController();
        const endless: Outgoing = {
          async *chunks() {
            yield Buffer.alloc(1000);
            controller.abort(new Error('enough'));
            yield Buffer.alloc(1000);
          },
        };
        await expect(storage.write(path, endless, { signal: controller.signal })).rejects.toThrow();
        expect(await storage.stat(path, { signal })).toBeUndefined();
      });

      test('of content whose length nobody knows arrives whole', async () => {
        const path = fresh('a.txt');
        const { chunks } = outgoing('x'.repeat(12_345));
        await storage.write(path, { chunks }, { signal });
        expect((await get(path)).length).toBe(12_345);
      });

      test('that is not confirmed does not show', async () => {
        const path = fresh('a.txt');
        const refused = storage.write(path, outgoing('wrong'), {
          signal,
          confirm: ({ bytes }) => {
            throw new Error(`${bytes} bytes, not confirmed`);
          },
        });
        await expect(refused).rejects.toThrow('5 bytes, not confirmed');
        expect(await storage.stat(path, { signal })).toBeUndefined();
      });
    });

    describe('a version', () => {
      test('that is gone is refused by a read', async () => {
        const path = fresh('a.txt');
        const { version } = await put(path, 'one');
        await put(path, 'two, and longer');
        if (version === undefined) return expect(await get(path)).toBe('two, and longer');
        await expect(storage.read(path, { signal, version })).rejects.toEqual(code('changed'));
      });
    });

    describe('a copy or move by the service itself', () => {
      test('keeps the content', async () => {
        const { copy, move } = storage;
        const from = fresh('from');
        const [copied, moved] = [fresh('sub', 'copied'), fresh('sub', 'moved')];
        await put(from, 'carried');
        if (copy !== undefined) {
          expect(await copy(from, copied, { signal })).toMatchObject({ path: copied, bytes: 7 });
          expect([await get(from), await get(copied)]).toEqual(['carried', 'carried']);
        }
        if (move !== undefined) {
          await put(moved, 'to be replaced');
          expect(await move(from, moved, { signal })).toMatchObject({ path: moved, bytes: 7 });
          expect(await get(moved)).toBe('carried');
          expect(await storage.stat(from, { signal })).toBeUndefined();
        }
      });

      test('of nothing is refused', async () => {
        const { copy, move } = storage;
        const missing = fresh('missing');
        if (copy !== undefined) await expect(copy(missing, fresh('to'), { signal })).rejects.toEqual(code('not_found'));
        if (move !== undefined) await expect(move(missing, fresh('to'), { signal })).rejects.toEqual(code('not_found'));
      });
    });

    describe('parts', () => {
      const { startParts, resumeParts, can } = storage;
      test('are there where they are claimed', () => {
        expect([startParts !== undefined, resumeParts !== undefined]).toEqual([can.parts !== undefined, can.parts !== undefined]);
      });

      test('make one file, which shows only at the end', async () => {
        if (startParts === undefined || can.parts === undefined) return;
        const path = fresh('big');
        const size = Math.max(can.parts.minBytes, 1000);
        const contents = ['a'.repeat(size), 'b'.repeat(size), 'tail'];
        const write = await startParts(path, { signal, bytes: 2 * size + 4 });
        const held = [];
        for (const [at, content] of contents.entries()) held.push(await write.put(at + 1, outgoing(content), { signal }));
        expect(await storage.stat(path, { signal })).toBeUndefined();
        expect(await write.commit(held, { signal })).toMatchObject({ path, bytes: 2 * size + 4 });
        expect(await get(path)).toBe(contents.join(''));
      });

      test('go on in another process, with what is held', async () => {
        if (startParts === undefined || resumeParts === undefined || can.parts === undefined) return;
        const path = fresh('big');
        const size = Math.max(can.parts.minBytes, 1000);
        const first = await startParts(path, { signal, bytes: size + 4 });
        const one = await first.put(1, outgoing('a'.repeat(size)), { signal });
        const again = await resumeParts(path, JSON.parse(JSON.stringify(first.ticket)), { signal, known: [one] });
        expect(again?.held).toEqual([one]);
        const two = await again?.put(2, outgoing('tail'), { signal });
        await again?.commit([...(again.held ?? []), ...(two ? [two] : [])], { signal });
        expect(await get(path)).toBe(`${'a'.repeat(size)}tail`);
      });

      test('that are given up leave nothing, and cannot be gone on with', async () => {
        if (startParts === undefined || resumeParts === undefined || can.parts === undefined) return;
        const path = fresh('big');
        const write = await startParts(path, { signal, bytes: 10 });
        await write.put(1, outgoing('x'.repeat(10)), { signal });
        await write.discard({ signal });
        expect(await storage.stat(path, { signal })).toBeUndefined();
        expect(await resumeParts(path, write.ticket, { signal })).toBeUndefined();
      });
    });

    test('any sequence of changes leaves what a map would hold', async () => {
      const paths = ['a', 'b/c', 'b/d', 'e/f/g'];
      const change = fc.oneof(
        fc.record({ kind: fc.constant('put' as const), path: fc.constantFrom(...paths), content: fc.string({ maxLength: 20 }) }),
        fc.record({ kind: fc.constant('remove' as const), path: fc.constantFrom(...paths) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
          const root = fresh('model');
          const model = new Map<string, string>();
          for (const each of changes) {
            if (each.kind === 'put') {
              await put(`${root}/${each.path}`, each.content);
              model.set(each.path, each.content);
            } else {
              expect(await storage.remove(`${root}/${each.path}`, { signal })).toBe(model.delete(each.path));
            }
          }
          const found = (await everything(storage.list(root, { signal, deep: true }))).filter((path) => !path.endsWith('/'));
          expect(found).toEqual([...model.keys()].sort().map((path) => `${root}/${path}`));
          for (const [path, content] of model) expect(await get(`${root}/${path}`)).toBe(content);
        }),
        { numRuns: 15 },
      );
    });
  });
};
