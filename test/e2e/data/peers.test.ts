import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.ts';

const works = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
const ask = (cwd: string, program: string, ...args: string[]): string => execFileSync(program, args, { cwd, encoding: 'utf8' });

describe.skipIf(!works('jq', '--version'))('jq sees what it would have done itself (needs jq)', () => {
  const BEFORE = '{\n  "name": "x",\n  "list": [1, {"a": null}, "é"],\n  "deep": {"er": {"est": true}}\n}\n';
  test.each<[action: unknown[], filter: string]>([
    [['FA_json_set', ['d.json', 'deep.er.new', { k: [1, 2] }]], '.deep.er.new = {k: [1, 2]}'],
    [['FA_json_set', ['d.json', 'list.1.a', 'b"\\\n']], '.list[1].a = "b\\"\\\\\\n"'],
    [['FA_json_set', ['d.json', 'list.3', false]], '.list[3] = false'],
    [['FA_json_delete', ['d.json', 'list.-1']], 'del(.list[-1])'],
    [['FA_json_delete', ['d.json', 'deep.er.est']], 'del(.deep.er.est)'],
  ])('%j', async (action, filter) => {
    await using house = openHouse({ files: { 'd.json': BEFORE, 'before.json': BEFORE } });
    await house.run([action]);
    expect(ask(house.dir.path, 'jq', '-c', '.', 'd.json')).toBe(ask(house.dir.path, 'jq', '-c', filter, 'before.json'));
  });
});

describe.skipIf(!works('python3', '--version'))('Python reads the same tables (needs python3)', () => {
  const READ_CSV = 'import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8")))))';
  const READ_JSONL =
    'import json, sys; print(json.dumps([list(json.loads(line).values()) for line in open(sys.argv[1], encoding="utf-8", newline="\\n")]))';

  test('before and after filtering and converting', async () => {
    const field = fc.oneof(
      fc.constantFrom('', 'x', 'a,b', 'say "hi"', 'l1\nl2', 'l1\r\nl2', ' pad ', '=1+1', 'é😀', '\\', '\t', "'"),
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
    );
    const table = fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 20 });
    const quoted = (rows: readonly (readonly string[])[]) =>
      rows.map((row) => `${row.map((each) => `"${each.replaceAll('"', '""')}"`).join(',')}\n`).join('');
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        await using house = openHouse({ files: { 'a.csv': quoted([['c 1', 'c"2', 'ü'], ...rows]) } });
        const { results } = await house.run([
          ['FA_csv_filter', ['a.csv', 'b.csv']],
          ['FA_csv_to_jsonl', ['b.csv', 'b.jsonl']],
        ]);
        expect(results.map(({ value }) => value)).toEqual([rows.length, rows.length]);
        expect(JSON.parse(ask(house.dir.path, 'python3', '-c', READ_CSV, 'b.csv'))).toEqual([['c 1', 'c"2', 'ü'], ...rows]);
        expect(JSON.parse(ask(house.dir.path, 'python3', '-c', READ_JSONL, 'b.jsonl'))).toEqual(rows);
      }),
      { numRuns: 15 },
    );
  }, 180_000);

  test.skipIf(!works('python3', '-c', 'import yaml'))('and the same YAML, old as its reader is (needs PyYAML)', async () => {
    const values = [
      'no',
      'yes',
      '1:30',
      '2026-01-01',
      '0o17',
      '017',
      'null',
      '~',
      'two\nlines\n',
      ' pad',
      "it's",
      '"q"',
      '@x',
      1.5,
      -0.5,
      true,
      null,
      [],
      {},
      [{ a: [1] }],
      { b: { c: 'd' } },
    ];
    await using house = openHouse({ files: { 'd.yaml': '# values\n' } });
    const { ok } = await house.run(values.map((value, index) => ['FA_yaml_set', ['d.yaml', `v${index}`, value]]));
    expect(ok).toBe(true);
    const read = 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load(open(sys.argv[1], encoding="utf-8")).values())))';
    expect(JSON.parse(ask(house.dir.path, 'python3', '-c', read, 'd.yaml'))).toEqual(values);
  });
});
