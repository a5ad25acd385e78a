// Small inputs that cost much: each is a file or a command of a limited caller that once held the serving thread or filled the memory.
import { parquetOfEmptyLists } from '../../support/parquet-empty-lists.ts';

/** An input, what is done with it, and how that ends: a value, or a failure of this type. */
export interface HeavyInput {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly list: unknown;
  readonly ends: 'ok' | `${string}Exception`;
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const many = (count: number, each: (at: number) => string) => numbers(count).map(each).join('');

/** A directory of empty entries, as short as the format allows. */
const zipOf = (count: number): Buffer => {
  const parts = numbers(count).map((at) => {
    const name = Buffer.from(`f${String(at).padStart(6, '0')}`);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(0x21, 12);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(0x21, 14);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at * (local.length + name.length), 42);
    return { local: Buffer.concat([local, name]), entry: Buffer.concat([entry, name]) };
  });
  const locals = Buffer.concat(parts.map(({ local }) => local));
  const directory = Buffer.concat(parts.map(({ entry }) => entry));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(locals.length, 16);
  return Buffer.concat([locals, directory, end]);
};

/** 330,000,000 zeros, packed by bzip2. */
const ZEROS_BZ2 = Buffer.from(
  'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZYrg+2gBCrUAQwAAgAAAIIAAwzAUppkpJBsUpJB4u5IpwoSEj0ZFq',
  'base64',
);

const grown = `{% assign b = a %}${'{% assign b = b | append: b %}'.repeat(22)}`;

/** By what is heavy about them. */
export const heavyInputs: Readonly<Record<string, HeavyInput>> = {
  'CSV of nothing but quotes': {
    files: { 'a.csv': '"'.repeat(1_000_000) },
    list: [['FA_csv_filter', { src: 'a.csv', target: 'b.csv' }]],
    ends: 'ok',
  },
  'CSV of which 100,000 columns are wanted': {
    files: { 'a.csv': 'a\n1\n' },
    list: [['FA_csv_filter', { src: 'a.csv', target: 'b.csv', columns: numbers(100_000).map((at) => `c${at}`) }]],
    ends: 'DataOpsException',
  },
  'CSV of 3,000 columns to Parquet': {
    files: { 'a.csv': `${many(3_000, (at) => `c${at},`)}z\n${'1,'.repeat(3_000)}1\n` },
    list: [['FA_csv_to_parquet', { csv_path: 'a.csv', parquet_path: 'b.parquet' }]],
    ends: 'ok',
  },
  'Parquet of a million rows in 119 bytes': {
    files: { 'a.parquet': parquetOfEmptyLists(1_000_000) },
    list: [['FA_parquet_read', { path: 'a.parquet', offset: 900_000, limit: 1_000 }]],
    ends: 'ok',
  },
  'YAML of 10,000 keys': {
    files: { 'a.yaml': many(10_000, (at) => `key${at}: ${at}\n`) },
    list: [['FA_yaml_set', { path: 'a.yaml', key_path: 'key7', value: 8 }]],
    ends: 'ok',
  },
  'YAML with a number of a million digits': {
    files: { 'a.yaml': `a: ${'9'.repeat(1_000_000)}\n` },
    list: [['FA_yaml_get', { path: 'a.yaml', key_path: 'a' }]],
    ends: 'DataOpsException',
  },
  'JSON of 150,000 keys': {
    files: { 'a.json': `{${many(150_000, (at) => `"k${at}":${at},`)}"z":1}` },
    list: [['FA_json_get', { path: 'a.json', key_path: 'z' }]],
    ends: 'ok',
  },
  'JSON that is far larger in memory': {
    files: { 'a.json': `[${'[[]],'.repeat(4_000_000)}1]` },
    list: [['FA_json_get', { path: 'a.json', key_path: '' }]],
    ends: 'QuotaExceededException',
  },
  'JSON Lines of 200,000 empty objects': {
    files: { 'a.jsonl': '{}\n'.repeat(200_000) },
    list: [['FA_jsonl_iter', { path: 'a.jsonl' }]],
    ends: 'ok',
  },
  'files that share no line': {
    files: { a: many(40_000, (at) => `a${at}\n`), b: many(40_000, (at) => `b${at}\n`) },
    list: [['FA_diff_files', { left: 'a', right: 'b' }]],
    ends: 'ok',
  },
  'a patch of 40,000 hunks': {
    files: { a: 'x\ny\n'.repeat(40_000) },
    list: [['FA_apply_patch', { target: 'a', patch: many(40_000, (at) => `@@ -${2 * at + 1} +${2 * at + 1} @@\n-x\n+z\n`) }]],
    ends: 'ok',
  },
  'a zip of 20,000 entries': {
    files: { 'a.zip': zipOf(20_000) },
    list: [['FA_zip_info', { zip_file_path: 'a.zip' }]],
    ends: 'ok',
  },
  'a zip of which 20,000 members are wanted': {
    files: { 'a.zip': zipOf(20_000) },
    list: [
      [
        'FA_unzip_all',
        {
          zip_file_path: 'a.zip',
          extract_path: 'out',
          extract_member: [...numbers(20_000).map((at) => `f${String(at).padStart(6, '0')}`), 'none'],
        },
      ],
    ],
    ends: 'ArchiveException',
  },
  'bzip2 of 330 MB in 273 bytes': {
    files: { 'a.tar.bz2': ZEROS_BZ2 },
    list: [['FA_list_archive', { path: 'a.tar.bz2' }]],
    ends: 'ArchiveException',
  },
  'a key of ten million rounds': {
    list: [['FA_key_from_password', { password: 'p', salt: '0123456789abcdef', iterations: 10_000_000 }]],
    ends: 'QuotaExceededException',
  },
  '20,000 globs': {
    files: { 'in/a': '', 'in/b': '' },
    list: [['FA_fast_find', { root: 'in', exclude: numbers(20_000).map((at) => `*a${at}*b?[x-z]`), use_index: false }]],
    ends: 'ok',
  },
  'a pattern of letters of all scripts': {
    files: { 'a.txt': 'é'.repeat(200_000) },
    list: [['FA_sed_replace', { file_path: 'a.txt', pattern: '(\\p{L}{1,20}){1,5}x', replacement: 'y', regex: true }]],
    ends: 'ok',
  },
  'a template of loops': {
    list: [['FA_render_string', { template: '{% for a in x %}{% for b in x %}{% endfor %}{% endfor %}', context: { x: numbers(3_000) } }]],
    ends: 'QuotaExceededException',
  },
  'a template whose text doubles': {
    list: [['FA_render_string', { template: `${grown}${'{% assign b = b | append: b %}'.repeat(8)}{{ b | size }}`, context: { a: 'x' } }]],
    ends: 'QuotaExceededException',
  },
  'values that double': {
    list: [
      ['FA_substitute', { payload: ['x'] }],
      ...numbers(30).map((at) => ['FA_substitute', { payload: [`\${results[${at}].value}`, `\${results[${at}].value}`] }]),
    ],
    ends: 'QuotaExceededException',
  },
};
