import { describe, expect, test } from 'vitest';
import { readRecords } from './records.ts';

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

const read = (text: string | Uint8Array, { limit = Number.POSITIVE_INFINITY, offset = 0, encoding = 'utf-8' } = {}) =>
  readRecords(cut(typeof text === 'string' ? Buffer.from(text) : text, 5), { name: 'a.jsonl', encoding, offset, limit });

const FIVE = '{"n":1}\n\n{"n":2}\r\n{"n":3}\n  \n{"n":4}\n{"n":5}';

describe('records', () => {
  test('are one object a line, blank lines skipped', async () => {
    expect(await read(FIVE)).toEqual([1, 2, 3, 4, 5].map((n) => ({ n })));
  });

  test.each([
    [{ limit: 0 }, []],
    [{ limit: 2 }, [1, 2]],
    [{ offset: 3 }, [4, 5]],
    [{ offset: 1, limit: 2 }, [2, 3]],
    [{ offset: 9 }, []],
  ])('can be a part: %j', async (part, numbers) => {
    expect(await read(FIVE, part)).toEqual(numbers.map((n) => ({ n })));
  });

  test('behind the last wanted one nothing is read', async () => {
    expect(await read('{"n":1}\nbroken\n', { limit: 1 })).toEqual([{ n: 1 }]);
    expect(await read('{"n":1}\nbroken\n', { limit: 0 })).toEqual([]);
  });

  test('keep every digit and every key', async () => {
    const [record] = await read('{"id":12345678901234567890,"big":1e400,"n":1.5,"__proto__":{"polluted":1}}');
    expect(JSON.stringify(record)).toBe('{"id":"12345678901234567890","big":"1e400","n":1.5,"__proto__":{"polluted":1}}');
    expect({}).not.toHaveProperty('polluted');
  });

  test('come from other encodings too, without their mark', async () => {
    expect(await read(Buffer.from('\ufeff{"k":"é"}\n', 'utf16le'), { encoding: 'utf-16' })).toEqual([{ k: 'é' }]);
  });
});

describe('refusals name the line', () => {
  test.each<[text: string | Uint8Array, message: string]>([
    ['{"a":1}\n\nbroken\n', 'a.jsonl, line 3, column 1: no JSON value starts like this'],
    ['{"a":1}\n{"a":1,"a":2}\n', 'a.jsonl, line 2, column 8: the key "a" stands twice'],
    ['{"a":12345678901234567890,"a":2}', 'a.jsonl, line 1, column 27: the key "a" stands twice'],
    ['{"a":12345678901234567890 /* id */}', 'a.jsonl, line 1: JSON Lines has no comments'],
    ['[1]', 'a.jsonl, line 1: the line holds a list, not an object'],
    ['null', 'a.jsonl, line 1: the line holds null'],
    ['12345678901234567890', 'a.jsonl, line 1: the line holds a plain value'],
    [Buffer.from([0x7b, 0x7d, 0x0a, 0x22, 0xff]), 'a.jsonl, line 2: the byte at offset 4 is not valid utf-8'],
  ])('%#', async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({ type: 'DataOpsException', message: expect.stringContaining(message) });
  });
});
