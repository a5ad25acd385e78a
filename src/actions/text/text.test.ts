import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

describe('FA_file_split and FA_file_merge', () => {
  test('put back together what they cut', async () => {
    const content = Buffer.from(Array.from({ length: 3_000_001 }, (_, at) => (at * 31) & 0xff));
    await using house = openHouse({ files: { 'a.bin': content } });
    const { results } = await house.run([
      ['FA_file_split', ['a.bin', 1_000_000, 'parts']],
      ['FA_file_merge', { parts: '${results[0].value}', target_path: 'b.bin' }],
    ]);
    expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(readdirSync(house.dir.at('parts')).sort()).toEqual(['a.bin.part000', 'a.bin.part001', 'a.bin.part002', 'a.bin.part003']);
    expect(readFileSync(house.dir.at('b.bin')).equals(content)).toBe(true);
  });

  test('a split that fails leaves no part of its own', async () => {
    await using house = openHouse({ files: { 'a.bin': '0123456789', 'a.bin.part002/in-the-way': '' } });
    const { results } = await house.run([['FA_file_split', ['a.bin', 4]]]);
    expect(results[0]?.error?.type).toBe('FileAccessException');
    expect(readdirSync(house.dir.path).sort()).toEqual(['a.bin', 'a.bin.part002']);
  });

  test('a split into far too many parts is refused', async () => {
    await using house = openHouse({ files: { 'a.bin': 'x'.repeat(200_000) } });
    const { results } = await house.run([['FA_file_split', ['a.bin', 1]]]);
    expect(results[0]?.error?.message).toContain('200000 parts');
  });

  test('a target may be one of its own parts', async () => {
    await using house = openHouse({ files: { a: 'one', b: 'two' } });
    await house.run([['FA_file_merge', [['a', 'b', 'a'], 'a']]]);
    expect(house.dir.read('a')).toBe('onetwoone');
  });

  test('a dry run tells parts and sizes', async () => {
    await using house = openHouse({ files: { a: '0123456789', b: 'xy' } });
    const { results } = await house.run({
      actions: [
        ['FA_file_split', ['a', 4, 'p']],
        ['FA_file_merge', [['a', 'b'], 'q/c']],
      ],
      dry_run: true,
    });
    const told = results.map(({ plan }) =>
      plan?.effects.map(({ kind, target, bytes }) => [kind, target.slice(house.dir.path.length + 1), bytes]),
    );
    expect(told[0]).toEqual([
      ['read', 'a', 10],
      ['create', 'p', undefined],
      ['create', 'p/a.part000', 4],
      ['create', 'p/a.part001', 4],
      ['create', 'p/a.part002', 2],
    ]);
    expect(told[1]).toEqual([
      ['read', 'a', 10],
      ['read', 'b', 2],
      ['create', 'q', undefined],
      ['create', 'q/c', 12],
    ]);
    expect(readdirSync(house.dir.path).sort()).toEqual(['a', 'b']);
  });
});

describe('FA_encoding_convert', () => {
  test('a bad byte far into the file is named by its offset and the old target stays', async () => {
    const content = Buffer.concat([Buffer.from('é'.repeat(400_000)), Buffer.from([0xff])]);
    await using house = openHouse({ files: { a: content, b: 'old' } });
    const { results } = await house.run([['FA_encoding_convert', ['a', 'b', 'utf-8', 'utf-16']]]);
    expect(results[0]?.error).toMatchObject({ type: 'TextOpsException', context: { offset: 800_000 } });
    expect(house.dir.read('b')).toBe('old');
    expect(readdirSync(house.dir.path).sort()).toEqual(['a', 'b']);
  });

  test('goes there and back', async () => {
    const content = 'añ€😀\r\n'.repeat(50_000);
    await using house = openHouse({ files: { a: content } });
    for (const encoding of ['utf-16', 'utf-32-be', 'gb18030', 'utf-8-sig']) {
      await house.run([
        ['FA_encoding_convert', ['a', 'b', 'utf-8', encoding]],
        ['FA_encoding_convert', ['b', 'c', encoding, 'utf-8']],
      ]);
      expect(house.dir.read('c')).toBe(content);
    }
  });
});

describe('FA_line_count', () => {
  test('counts across the blocks it reads', async () => {
    await using house = openHouse();
    writeFileSync(house.dir.at('a'), 'some line\r\n'.repeat(300_000));
    writeFileSync(house.dir.at('b'), Buffer.from('some line\r'.repeat(200_000), 'utf16le'));
    const { results } = await house.run([
      ['FA_line_count', ['a']],
      ['FA_line_count', ['b', 'utf-16-le']],
    ]);
    expect(results.map(({ value }) => value)).toEqual([300_000, 200_000]);
    expect(statSync(house.dir.at('a')).size).toBe(3_300_000);
  });
});
