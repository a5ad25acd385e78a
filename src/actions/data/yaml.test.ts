import { chmodSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesOf, type CorpusBody } from '../../../test/support/corpus-body.ts';
import { openHouse } from '../../../test/support/house.ts';

interface Case {
  readonly id: string;
  readonly doc: CorpusBody;
  readonly expect: { readonly ok: boolean; readonly value?: unknown; readonly own_key?: readonly string[] };
  readonly why: string;
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(readFileSync('test/fixtures/corpus/yaml-bombs.json', 'utf8'));

describe('documents that try to do harm', () => {
  test.each(cases.map((each) => [each.id, each.why, each] as const))('%s: %s', async (_id, _why, { doc, expect: wanted }) => {
    const before = bytesOf(doc);
    await using house = openHouse({ files: { 'd.yaml': before } });
    const { results } = await house.run([['FA_yaml_get', ['d.yaml', '']]]);
    expect(results[0]).toMatchObject(wanted.ok ? { status: 'ok' } : { status: 'failed', error: { type: 'DataOpsException' } });
    if (wanted.value !== undefined) expect(results[0]?.value).toEqual(wanted.value);
    let holder = results[0]?.value;
    for (const key of wanted.own_key ?? []) {
      expect(Object.hasOwn(Object(holder), key)).toBe(true);
      holder = Reflect.get(Object(holder), key);
    }
    expect({}).not.toHaveProperty('polluted');
    if (wanted.ok) return;
    // What cannot be read is never written.
    const edits = await house.run([
      ['FA_yaml_set', ['d.yaml', 'k', 1]],
      ['FA_yaml_delete', ['d.yaml', 'a']],
    ]);
    expect(edits.results.map(({ status, error }) => [status, error?.type])).toEqual([
      ['failed', 'DataOpsException'],
      ['failed', 'DataOpsException'],
    ]);
    expect(readFileSync(house.dir.at('d.yaml')).equals(before)).toBe(true);
  });
});

test('an edit keeps comments, quotes, mode and link', async () => {
  await using house = openHouse({ files: { 'real.yaml': '# settings\nport: 80 # http\nname: "x"\n' } });
  chmodSync(house.dir.at('real.yaml'), 0o600);
  symlinkSync('real.yaml', house.dir.at('link.yaml'));
  const { results } = await house.run([
    ['FA_yaml_set', ['link.yaml', 'port', 8080]],
    ['FA_yaml_set', ['link.yaml', '/hosts/example.org', ['a', 'b']]],
    ['FA_yaml_delete', ['link.yaml', 'name']],
    ['FA_yaml_get', ['link.yaml', 'hosts.example\\.org.-1']],
  ]);
  expect(results.map(({ value }) => value)).toEqual([true, true, true, 'b']);
  expect(house.dir.read('real.yaml')).toBe('# settings\nport: 8080 # http\nhosts:\n  example.org:\n    - a\n    - b\n');
  expect(statSync(house.dir.at('real.yaml')).mode & 0o777).toBe(0o600);
});

test('a fault names file, line and column', async () => {
  await using house = openHouse({ files: { 'd.yaml': 'a: 1\nb:\n  - [1, 2\nc: 3\n' } });
  const { results } = await house.run([['FA_yaml_get', ['d.yaml', 'a']]]);
  expect(results[0]?.error).toMatchObject({
    type: 'DataOpsException',
    message: expect.stringMatching(/^d\.yaml:4:\d+: /),
    context: { path: 'd.yaml', line: 4 },
  });
});
