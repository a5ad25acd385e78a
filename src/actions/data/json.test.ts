import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesOf, type CorpusBody } from '../../../test/support/corpus-body.ts';
import { openHouse } from '../../../test/support/house.ts';
import { openJson } from '../../lib/data/json/document.ts';

interface Case {
  readonly id: string;
  readonly op: 'get' | 'set' | 'delete';
  readonly doc:
    | string
    | { readonly repeat: readonly (string | number)[]; readonly then: { readonly repeat: readonly (string | number)[] } };
  readonly key_path: string;
  readonly value?: unknown;
  readonly value_json?: string;
  readonly default?: unknown;
  readonly expect: { readonly ok: boolean; readonly value?: unknown; readonly removed?: boolean; readonly doc?: string };
  readonly why: string;
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync('test/fixtures/corpus/json-set-evil.json', 'utf8'));

const docOf = (doc: Case['doc']): Buffer => bytesOf((typeof doc === 'string' ? doc : [{ repeat: doc.repeat }, doc.then]) as CorpusBody); // the corpus nests its parts

/** The document as data in which every number shows its digits. */
const digits = (text: string | undefined): unknown => {
  const quoted = (text ?? '').replaceAll(
    /("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)/g,
    (_, string?: string, number?: string) => string ?? `"#${number}"`,
  );
  return openJson(Buffer.from(quoted), { name: 'd.json', makeError: (message) => new Error(message) }).get('').value;
};

describe('key paths that try to do harm', () => {
  test.each(cases.map((each) => [each.id, each.why, each] as const))(
    '%s: %s',
    async (_id, _why, { op, doc, key_path, expect: wanted, ...rest }) => {
      const before = docOf(doc);
      await using house = openHouse({ files: { 'd.json': before } });
      const given = rest.value_json === undefined ? rest.value : JSON.parse(rest.value_json);
      // References are read before an action sees its arguments; doubled, the sign stands for itself.
      const value = typeof given === 'string' ? given.replaceAll('${', () => '$${') : given;
      const extra = op === 'set' ? [value] : op === 'get' ? [rest.default] : [];
      const { results } = await house.run([[`FA_json_${op}`, ['d.json', key_path, ...extra]]]);
      expect(results[0]).toMatchObject(wanted.ok ? { status: 'ok' } : { status: 'failed', error: { type: 'JsonEditException' } });
      if (wanted.ok && op !== 'get') expect(results[0]?.value).toBe(wanted.removed ?? true);
      if (op === 'get') expect(results[0]?.value).toEqual(wanted.value);
      if (wanted.doc === undefined) expect(readFileSync(house.dir.at('d.json')).equals(before)).toBe(true);
      else expect(digits(house.dir.read('d.json'))).toEqual(digits(wanted.doc));
      expect({}).not.toHaveProperty('polluted');
      expect(String({})).toBe('[object Object]');
    },
  );
});

describe('the file around the edit', () => {
  test('keeps its mode, and a link leads to it still', async () => {
    await using house = openHouse({ files: { 'real.json': '{"a":1}' } });
    chmodSync(house.dir.at('real.json'), 0o640);
    symlinkSync('real.json', house.dir.at('link.json'));
    await house.run([['FA_json_set', ['link.json', 'a', 2]]]);
    expect(house.dir.read('real.json')).toBe('{"a":2}');
    expect(lstatSync(house.dir.at('link.json')).isSymbolicLink()).toBe(true);
    expect(statSync(house.dir.at('real.json')).mode & 0o777).toBe(0o640);
  });

  test('is not written when nothing changes', async () => {
    await using house = openHouse({ files: { 'd.json': '{"a": 1}' } });
    const before = statSync(house.dir.at('d.json'));
    const { results } = await house.run([
      ['FA_json_set', ['d.json', 'a', 1]],
      ['FA_json_delete', ['d.json', 'b']],
    ]);
    expect(results.map(({ value }) => value)).toEqual([true, false]);
    expect(statSync(house.dir.at('d.json')).ino).toBe(before.ino);
  });

  test('above 64 MiB is refused', async () => {
    await using house = openHouse({ files: { 'd.json': '{}' } });
    truncateSync(house.dir.at('d.json'), 64 * 1024 * 1024 + 1);
    const { results } = await house.run([['FA_json_get', ['d.json', 'a']]]);
    expect(results[0]?.error).toMatchObject({
      type: 'JsonEditException',
      context: { limit: 67108864 },
      message: expect.stringContaining('split the file'),
    });
  });

  test('is named where it is missing or a directory', async () => {
    await using house = openHouse();
    const { results } = await house.run([
      ['FA_json_get', ['none.json', 'a']],
      ['FA_json_set', ['.', 'a', 1]],
    ]);
    expect(results.map(({ error }) => [error?.type, error?.message])).toEqual([
      ['JsonEditException', `No file is at ${house.dir.at('none.json')}; check the path.`],
      ['JsonEditException', `A directory, not a file, is at ${house.dir.path}; check the path.`],
    ]);
  });
});

test('a dry run tells what would change and touches nothing', async () => {
  await using house = openHouse({ files: { 'd.json': '{"a":1}' } });
  const { results } = await house.run({
    dry_run: true,
    actions: [
      ['FA_json_set', ['d.json', 'b', 2]],
      ['FA_json_set', ['d.json', 'b.c', 3]],
      ['FA_json_delete', ['d.json', 'none']],
    ],
  });
  const path = house.dir.at('d.json');
  expect(results[0]?.plan?.effects).toEqual([
    { kind: 'read', target: path, bytes: 7 },
    { kind: 'overwrite', target: path, bytes: 13 },
  ]);
  // The second command sees what the first one would do: a number cannot hold a key.
  expect(results[1]).toMatchObject({ status: 'failed', error: { type: 'JsonEditException' } });
  expect(results[2]?.plan?.effects.map(({ kind }) => kind)).toEqual(['read']);
  expect(house.dir.read('d.json')).toBe('{"a":1}');
});
